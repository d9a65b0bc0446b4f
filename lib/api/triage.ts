import type { LeadRef } from '@/lib/contract/lead'
import { isWorthRetrying, retryDelayMs } from './send'

/** The version of its triage that the decision is based on. */
export type LeadVersion = LeadRef & { updatedAt?: string | null | undefined }

const RETRIES = 3

/** Sent one after the other. */
export const DECIDING = ['triage'] as const

/** Names a request, so that the server carries it out once however often it is sent. */
export function onceKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const decisionRetries = {
  retry: (failures: number, error: Error) => failures < RETRIES && isWorthRetrying(error),
  retryDelay: retryDelayMs,
}

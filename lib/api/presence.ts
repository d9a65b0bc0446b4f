import type { LeadRef } from '@/lib/contract/lead'
import type { PresenceAnswer } from '@/lib/contract/presence'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

export const presenceKeys = { of: ({ kind, id }: LeadRef) => ['presence', kind, id] as const }

/** Says which lead is open in this tab; answers who else has it open. */
export function tellPresence(tab: string, lead: LeadRef, signal: AbortSignal): Promise<PresenceAnswer> {
  return request('/api/presence', { method: 'POST', body: { tab, lead }, read: readPresence, signal })
}

/** Says that this tab has no lead open; sent even when the page goes away in the same moment. */
export function tellAbsence(tab: string): void {
  const init: RequestInit = {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tab, lead: null }),
  }
  // Nobody waits for it: without it, the server takes silence for leaving.
  fetch('/api/presence', init).catch(() => {})
}

function readPresence(body: unknown): PresenceAnswer {
  if (!isPresence(body)) throw new ApiError('unreadable', 200)
  return body
}

function isPresence(body: unknown): body is PresenceAnswer {
  return isRecord(body) && Array.isArray(body['others'])
}

import type { LeadList, LeadRef, LeadStatus } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import type { TriageProgress } from '@/lib/contract/triage'
import { apiResponse, parseJson } from './call'
import { ApiError, isWorthRetrying, orOffline, retryDelayMs } from './send'

/** The version of its triage that the decision is based on. */
export type LeadVersion = LeadRef & { updatedAt?: string | null | undefined }
type TriageFields = {
  status?: LeadStatus | undefined
  assignee?: string | undefined
  snoozeUntil?: string | null | undefined
}

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

export type MatchingChange = { matching: LeadFilter & { list: LeadList } } & TriageFields
export type MatchingResult = { changed: number; conflicts: number; undo: string | null }

export async function changeMatching(
  change: MatchingChange,
  report: (progress: { done: number; total: number }) => void,
): Promise<MatchingResult> {
  let result: MatchingResult | null = null
  for await (const progress of answerLines(
    await apiResponse('PATCH /api/triage', { body: change, accept: 'application/x-ndjson' }),
  )) {
    if (!isProgress(progress)) throw new ApiError('unreadable', 200)
    if ('error' in progress) throw new ApiError('broken', 500)
    if ('done' in progress) report(progress)
    else result = progress
  }
  // A stream that ends early was cut: the server takes the change back unless it was complete, and the list shows which.
  if (result === null) throw new ApiError('broken', 200)
  return result
}

function isProgress(value: unknown): value is TriageProgress {
  const { error, done, changed }: Record<string, unknown> = { ...(value as object) }
  return typeof error === 'string' || typeof done === 'number' || typeof changed === 'number'
}

async function* answerLines({ body, status }: Response): AsyncGenerator<unknown> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let isDone = false; !isDone;) {
      const { value, done } = await orOffline(undefined, () => reader.read())
      isDone = done
      rest += done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') yield parseJson(line, status)
    }
  } finally {
    reader.releaseLock()
  }
}

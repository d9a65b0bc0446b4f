import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import type { TriageProgress } from '@/lib/contract/triage'
import { ApiError, kindOfStatus } from './api-error'
import { isRecord } from './lead-page'
import { readLines } from './read-lines'
import { SESSION_LOST } from './request'
import type { TriageFields } from './triage'

export type MatchingChange = { matching: LeadFilter & { list: LeadList } } & TriageFields
export type MatchingResult = { changed: number; conflicts: number; undo: string | null }

/** Changes every lead that matches, and reports on the way how far it has come. */
export async function changeMatching(
  change: MatchingChange,
  report: (progress: { done: number; total: number }) => void,
): Promise<MatchingResult> {
  const response = await send(change)
  let result: MatchingResult | null = null
  for await (const line of readLines(response)) {
    const progress: unknown = JSON.parse(line)
    if (!isProgress(progress)) throw new ApiError('unreadable', response.status)
    if ('error' in progress) throw new ApiError('broken', 500)
    if ('done' in progress) report(progress)
    else result = progress
  }
  // A stream that ends early was cut: what was changed until then is there, and the list shows it.
  if (result === null) throw new ApiError('broken', response.status)
  return result
}

async function send(change: MatchingChange): Promise<Response> {
  const response = await fetch('/api/triage', {
    method: 'PATCH',
    cache: 'no-store',
    headers: { accept: 'application/x-ndjson', 'content-type': 'application/json' },
    body: JSON.stringify(change),
  }).catch(() => {
    throw new ApiError('offline', 0)
  })
  if (response.status === 401) globalThis.dispatchEvent?.(new Event(SESSION_LOST))
  if (!response.ok) throw new ApiError(kindOfStatus(response.status), response.status)
  return response
}

function isProgress(value: unknown): value is TriageProgress {
  return (
    isRecord(value) &&
    (typeof value['error'] === 'string' || typeof value['done'] === 'number' || typeof value['changed'] === 'number')
  )
}

import type { ChangedEvent } from '@/lib/contract/live-event'
import { isRecord, isSnapshot } from './lead-page'

type Cached = { queryKey: readonly unknown[]; state: { data: unknown } }

/**
 * Whether a query shows another version of the list than `change` tells of. Pages beyond the first follow the first one
 * by themselves, so that all rows on screen change their places together.
 */
export function isOutdated({ queryKey, state: { data } }: Cached, { list, version }: ChangedEvent): boolean {
  if (!isAbout(queryKey, list)) return false
  // The status is on its way already.
  if (queryKey[0] === 'status' && data === undefined) return false
  const snapshot = queryKey[0] === 'status' ? statusOf(data, list) : isRecord(data) ? data['snapshot'] : null
  return !isSnapshot(snapshot) || snapshot.version !== version
}

/** Whether a query is worth asking when nobody told what changed: all that has an age. */
export function isHead({ queryKey }: Pick<Cached, 'queryKey'>): boolean {
  return queryKey[0] === 'status' || (queryKey[0] === 'leads' && !isBeyondFirst(queryKey))
}

function isAbout(queryKey: readonly unknown[], list: ChangedEvent['list']): boolean {
  if (queryKey[0] === 'leads') return queryKey[1] === list && !isBeyondFirst(queryKey)
  return queryKey[0] === 'status' || queryKey[0] === list
}

function isBeyondFirst(queryKey: readonly unknown[]): boolean {
  return queryKey[2] === 'page' && queryKey.at(-1) !== 0
}

function statusOf(data: unknown, list: ChangedEvent['list']): unknown {
  return isRecord(data) && isRecord(data['lists']) ? data['lists'][list] : null
}

import type { ChangedEvent } from '@/lib/contract/live-event'
import { isRecord } from './lead-page'

/** Passes on what a `changed` event says; an event of another build, with other data, says nothing. */
export function readChanged(data: unknown, tell: (change: ChangedEvent) => void): void {
  const change = parsed(data)
  if (isChanged(change)) tell(change)
}

/** The JSON of an event; null when it is none. */
export function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return null
  }
}

const LISTS: ReadonlySet<unknown> = new Set(['asked-questions', 'declarations-of-interest', 'high-schools'])

function isChanged(value: unknown): value is ChangedEvent {
  return isRecord(value) && LISTS.has(value['list']) && typeof value['version'] === 'number'
}

import type { LeadEvent } from '@/lib/contract/live-event'
import { isRecord } from './lead-page'
import { parsed } from './read-changed'

/** Passes on what a `lead` event says; an event of another build, with other data, says nothing. */
export function readLeadEvent(data: unknown, tell: (event: LeadEvent) => void): void {
  const event = parsed(data)
  if (isLeadEvent(event)) tell(event)
}

function isLeadEvent(value: unknown): value is LeadEvent {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['id'] === 'string' &&
    (value['what'] === 'notes' || value['what'] === 'presence')
  )
}

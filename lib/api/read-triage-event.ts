import type { TriageEvent } from '@/lib/contract/live-event'
import { isRecord } from './lead-page'
import { parsed } from './read-changed'

/** Passes on what a `triage` event says; an event of another build, with other data, says nothing. */
export function readTriageEvent(data: unknown, tell: (event: TriageEvent) => void): void {
  const event = parsed(data)
  if (isTriageEvent(event)) tell(event)
}

function isTriageEvent(value: unknown): value is TriageEvent {
  return isRecord(value) && (value['list'] === 'asked-questions' || value['list'] === 'declarations-of-interest')
}

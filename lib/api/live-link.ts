import type { ChangedEvent, LeadEvent, TriageEvent } from '@/lib/contract/live-event'
import { readChanged } from './read-changed'
import { readLeadEvent } from './read-lead-event'
import { readTriageEvent } from './read-triage-event'

export type LiveLink = { open: () => void; shut: () => void; isOpen: () => boolean }

/** The part of `EventSource` that is used. */
export type Stream = {
  addEventListener: (type: EventName | 'error', listener: (event: { data?: unknown }) => void) => void
  close: () => void
}
type EventName = 'changed' | 'triage' | 'lead' | 'beat'

export type LinkOptions = {
  connect: () => Stream
  /** Runs it after so many milliseconds; answers what calls that off. */
  schedule: (delayMs: number, run: () => void) => () => void
  /** In [0, 1). */
  random: () => number
  /** A list has this version now, which may be the one on screen. */
  onChanged: (change: ChangedEvent) => void
  /** Notes of a lead, or who has it open, changed. */
  onLead?: (event: LeadEvent) => void
  /** Somebody changed status or assignee of leads of a list. */
  onTriage?: (event: TriageEvent) => void
  /** Whether changes are told at the moment; while not, the screens ask by themselves. */
  onLive: (isLive: boolean) => void
  onLost: () => void
}

/** More than two of the server's beats. */
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/**
 * The one live stream of a tab. A stream that is silent for too long is as good as broken (a proxy may swallow it): it is
 * tried again, each time later. Whoever connects is told every list's version, so nothing is missed meanwhile.
 */
export function createLiveLink(options: LinkOptions): LiveLink {
  const { connect, schedule, random, onChanged, onLead, onTriage, onLive, onLost } = options
  let stream: Stream | null = null
  let isLive = false
  let failures = 0
  /** What is waited for: the end of the silence, or the next try. */
  let cancelWait = () => {}
  const wait = (delayMs: number, run: () => void) => {
    cancelWait()
    cancelWait = schedule(delayMs, run)
  }
  const setLive = (next: boolean) => {
    if (next !== isLive) onLive(next)
    isLive = next
  }
  const shut = () => {
    cancelWait()
    stream?.close()
    stream = null
    setLive(false)
  }
  const lose = () => {
    shut()
    failures += 1
    onLost()
    wait(waitAfter(failures) * (0.5 + random() / 2), open)
  }
  const open = () => {
    const own = connect()
    stream = own
    wait(SILENCE_MS, lose)
    const on = (type: EventName, react: (data: unknown) => void) =>
      own.addEventListener(type, ({ data }) => {
        if (stream !== own) return
        setLive(true)
        wait(SILENCE_MS, lose)
        react(data)
      })
    on('changed', (data) => readChanged(data, onChanged))
    on('triage', (data) => onTriage && readTriageEvent(data, onTriage))
    on('lead', (data) => onLead && readLeadEvent(data, onLead))
    // Only a stream that lasts proves itself: one that greets and breaks is not to be tried ever so often.
    on('beat', () => (failures = 0))
    own.addEventListener('error', () => stream === own && lose())
  }
  return { open, shut, isOpen: () => stream !== null }
}

function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
}

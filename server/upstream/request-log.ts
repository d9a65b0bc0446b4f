import 'server-only'
import type { BudgetClock, BudgetOptions } from './budget'
import { withinTime } from './deadline'
import type { BudgetWindow, Purpose, Taken } from './windows'

/** A request as stored beyond the process; a back-off is stored likewise and ends when requests may be sent again. */
export type StoredRequest = {
  id: number
  purpose: Purpose | 'back-off' | 'clock'
  /** By the log's own clock, whole ms, like every moment in it. */
  sentAt: number
  /** Null while its answer has not ended; in the future when the service may still count it. */
  finishedAt: number | null
}
export type StoredLog = {
  requests: StoredRequest[]
  /** There when all instances share the store's clock; else each goes by its own wall clock. */
  nowMs?: number
  /** Nobody else can be writing the log, so an open request that is not ours is of a process that has died. */
  isAlone?: boolean
}
export type LogChange = { write: StoredRequest[]; remove: number[] }
/** By id. */
export type Requests = Map<number, StoredRequest>

export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000
/** After we gave up on a request the service may still find it in a queue and count it; not later than this. */
export const ABANDONED_MS = 60_000
/** A request whose end nobody saw (the process died) is taken to have ended this long after it was sent. */
export const UNFINISHED_MS = 360_000
/** A wall clock that moved by more than this is looked at in the store at once; by less, it jitters. */
const NOTICED_MS = 250

/** What is added to the log as it is `now`; called again when another process was faster. */
type Addition = (requests: Requests, now: number) => StoredRequest | null
type RequestLogOptions = Omit<BudgetOptions, 'limits'> & {
  /** From its end on a request stays in the log for so long. */
  holdMs: number
}

/**
 * The log in the store, with what this process knows of it. Its clock advances by the smaller of what wall clock and monotonic
 * clock say, so it never runs faster than time: a wall clock that steps can hold places longer, but frees none early.
 * Moments in the log are never rewritten.
 */
export function createRequestLog({ clock, store, logger, holdMs, storeTimeoutMs = 5_000 }: RequestLogOptions) {
  const ours = new Set<number>()
  /** What the store does not know yet. */
  let additions: Addition[] = []
  let known = nothingKnown
  let offset = 0
  const wallOffset = () => clock.now() - clock.monotonic()

  /** Reads the log and writes what is to be added; false when the store failed, also by taking too long. */
  async function update(...more: Addition[]): Promise<boolean> {
    const before = clock.monotonic()
    const adding = [...additions, ...more]
    let next = known
    try {
      const writing = store.update((stored) => {
        next = readLog(stored, known, readingOf(stored, clock, before), ours)
        for (const addition of adding) {
          const request = addition(next.requests, next.nowMs)
          if (request === null) continue
          next.requests.set(request.id, request)
          ours.add(request.id)
        }
        for (const [id, request] of next.requests) {
          if (!isRequest(request) || heldUntil(request, holdMs, next.nowMs) > next.nowMs) continue
          next.requests.delete(id)
          ours.delete(id)
        }
        return changeOf(mergedRequests(stored.requests), next.requests)
      })
      await withinTime(writing, storeTimeoutMs)
    } catch (err) {
      logger?.warn({ err }, 'the log of requests to the service cannot be kept')
      return false
    }
    known = next
    offset = wallOffset()
    additions = additions.filter((addition) => !adding.includes(addition))
    return true
  }

  return {
    requests: () => known.requests,
    /** What the log's clock shows now, as far as this process knows. */
    now: () => known.nowMs + clock.monotonic() - known.askedAt,
    isFresh: (forMs: number) =>
      clock.monotonic() - known.readAt < forMs && Math.abs(wallOffset() - offset) < NOTICED_MS,
    /** Is in the log with the next update, whenever that succeeds. */
    add: (addition: Addition) => void additions.push(addition),
    update,
  }
}

/** Times of the process in ms; `wallMs` is the store's clock if it has one. */
type Reading = {
  wallMs: number
  /** By the monotonic clock: the moments before and after the store was asked. */
  askedAt: number
  readAt: number
}
type KnownLog = Reading & { requests: Requests; nowMs: number }

/** By the monotonic clock, anything may have happened before the first reading. */
const nothingKnown: KnownLog = { requests: new Map(), nowMs: 0, wallMs: 0, askedAt: 0, readAt: -Infinity }

function readingOf({ nowMs }: StoredLog, clock: BudgetClock, before: number): Reading {
  const readAt = clock.monotonic()
  return { wallMs: nowMs ?? clock.now(), askedAt: nowMs === undefined ? readAt : before, readAt }
}

/** The stored log with what the process itself knows, as it is now. */
function readLog(stored: StoredLog, known: KnownLog, reading: Reading, ours: ReadonlySet<number>): KnownLog {
  const requests = mergedRequests(stored.requests, known.requests.values())
  const nowMs = Math.floor(timeOf(requests.get(CLOCK_ID), known, reading))
  for (const request of requests.values())
    if (stored.isAlone && request.finishedAt === null && !ours.has(request.id))
      requests.set(request.id, { ...request, finishedAt: nowMs + ABANDONED_MS })
  requests.set(CLOCK_ID, { id: CLOCK_ID, purpose: 'clock', sentAt: nowMs, finishedAt: Math.ceil(reading.wallMs) })
  return { requests, nowMs, ...reading }
}

/** The clock is stored as one more request: `sentAt` is what it showed when the wall clock showed `finishedAt`. */
const CLOCK_ID = 0

export const isRequest = ({ purpose }: StoredRequest) => purpose !== 'clock'

/** A log without a clock begins at the wall clock, which is all that a process knows at its start. */
function timeOf(clock: StoredRequest | undefined, known: Reading, { wallMs, askedAt }: Reading): number {
  if (clock === undefined) return wallMs
  const expected = known.wallMs + askedAt - known.readAt
  return clock.sentAt + Math.max(0, Math.min(wallMs, expected) - (clock.finishedAt ?? wallMs))
}

/** Copies of one log as one: what either knows counts, and the clock that is further on. */
export function mergedRequests(...copies: Iterable<StoredRequest>[]): Requests {
  const merged: Requests = new Map()
  for (const request of copies.flatMap((copy) => [...copy])) {
    const known = merged.get(request.id)
    const isNews = isRequest(request) ? known?.finishedAt === null : request.sentAt > (known?.sentAt ?? 0)
    if (!known || isNews) merged.set(request.id, request)
  }
  return merged
}

/** What a store must learn to go from one log to another. */
export function changeOf(before: Requests, after: Requests): LogChange {
  const isOther = ({ id, sentAt, finishedAt }: StoredRequest) =>
    before.get(id)?.sentAt !== sentAt || before.get(id)?.finishedAt !== finishedAt
  return { write: [...after.values()].filter(isOther), remove: [...before.keys()].filter((id) => !after.has(id)) }
}

/** Until when the places of a window are taken. */
export function takenIn({ holdMs }: BudgetWindow, requests: Requests, now: number): Taken {
  const taken: Taken = { all: [], list: [], lookup: [] }
  for (const request of requests.values()) {
    const until = heldUntil(request, holdMs, now)
    if (until <= now || request.purpose === 'back-off' || request.purpose === 'clock') continue
    taken.all.push(until)
    taken[request.purpose].push(until)
  }
  return taken
}

/** When the last back-off ends; long ago if there is none. */
export function backOffUntil(requests: Requests): number {
  const ends = [...requests.values()].map(({ purpose, finishedAt }) => (purpose === 'back-off' ? finishedAt : null))
  return Math.max(...ends.map((end) => end ?? -Infinity), -Infinity)
}

/** The service may count a request at any moment until its answer ends: only from then on does its window run. */
function heldUntil({ purpose, sentAt, finishedAt }: StoredRequest, holdMs: number, now: number): number {
  if (purpose === 'back-off') return finishedAt ?? now
  return (finishedAt ?? Math.min(now, sentAt + UNFINISHED_MS)) + holdMs
}

import 'server-only'
import { withTimeout } from '@/server/base/deadline'

export type RequestPurpose = 'list' | 'lookup'

/** A back-off is stored like a request; it ends when requests may be sent again. */
export type StoredRequest = {
  id: number
  purpose: RequestPurpose | 'back-off' | 'clock'
  /** By the log's own clock (ms). */
  sentAt: number
  /** Null while its answer has not ended; in the future when the service may still count it. */
  finishedAt: number | null
}
export type StoredLog = {
  requests: StoredRequest[]
  /** Set when all instances share the store's clock; else each goes by its own wall clock. */
  nowMs?: number
  /** Nobody else can write the log, so an open request that is not ours is of a dead process. */
  isAlone?: boolean
}
export type RequestsById = Map<number, StoredRequest>

export type BudgetStore = {
  /** One atomic step: read, decide, insert or replace by id. Decides again when another writer was faster. */
  update(change: (log: StoredLog) => { upserts: StoredRequest[]; deletedIds: number[] }): Promise<void>
}

/** `now`: the wall clock; `monotonic`: a clock that only ever goes forward. Both ms. */
export type BudgetClock = { now(): number; monotonic(): number }

export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000
export const ABANDONED_HOLD_MS = 60_000
/** A request whose process died is taken to have ended this long after it was sent. */
export const UNFINISHED_MS = 360_000
const NOTICED_MS = 250

type CreateRequest = (requests: RequestsById, now: number) => StoredRequest | null
export type RequestLogOptions = {
  clock: BudgetClock
  store: BudgetStore
  logger?: { warn(details: object, message: string): void }
  storeTimeoutMs?: number
  holdMs: number
}

/** Its clock takes the smaller of wall and monotonic time, so a stepping wall clock frees no place early. */
export function createRequestLog({ clock, store, logger, holdMs, storeTimeoutMs = 5_000 }: RequestLogOptions) {
  const ours = new Set<number>()
  let additions: CreateRequest[] = []
  let known = emptyLog
  let offset = 0
  const wallOffset = () => clock.now() - clock.monotonic()

  async function update(...more: CreateRequest[]): Promise<boolean> {
    const before = clock.monotonic()
    const adding = [...additions, ...more]
    let next = known
    try {
      const writing = store.update((stored) => {
        const readAt = clock.monotonic()
        const wallMs = stored.nowMs ?? clock.now()
        const askedAt = stored.nowMs === undefined ? readAt : before
        const requests = mergeRequests(stored.requests, known.requests.values())
        const last = requests.get(CLOCK_ID)
        const expected = known.wallMs + askedAt - known.readAt
        const passed = Math.max(0, Math.min(wallMs, expected) - (last?.finishedAt ?? wallMs))
        const nowMs = Math.floor(last === undefined ? wallMs : last.sentAt + passed)
        next = { requests, nowMs, wallMs, askedAt, readAt }
        // Of an instance that has died: nobody else would finish it.
        for (const request of requests.values())
          if (stored.isAlone && request.finishedAt === null && !ours.has(request.id))
            requests.set(request.id, { ...request, finishedAt: nowMs + ABANDONED_HOLD_MS })
        requests.set(CLOCK_ID, { id: CLOCK_ID, purpose: 'clock', sentAt: nowMs, finishedAt: Math.ceil(wallMs) })
        for (const addition of adding) {
          const request = addition(requests, nowMs)
          if (request === null) continue
          requests.set(request.id, request)
          ours.add(request.id)
        }
        for (const [id, request] of requests) {
          if (!isRequest(request) || findReleaseTime(request, holdMs, nowMs) > nowMs) continue
          requests.delete(id)
          ours.delete(id)
        }
        const read = mergeRequests(stored.requests)
        const isNews = ({ id, sentAt, finishedAt }: StoredRequest) =>
          read.get(id)?.sentAt !== sentAt || read.get(id)?.finishedAt !== finishedAt
        const remove = [...read.keys()].filter((id) => !requests.has(id))
        return { upserts: [...requests.values()].filter(isNews), remove: deletedIds }
      })
      await withTimeout(writing, storeTimeoutMs)
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
    now: () => known.nowMs + clock.monotonic() - known.askedAt,
    isFresh: (maxAgeMs: number) =>
      clock.monotonic() - known.readAt < maxAgeMs && Math.abs(wallOffset() - offset) < NOTICED_MS,
    enqueue: (addition: CreateRequest) => void additions.push(addition),
    update,
  }
}

/** `askedAt`, `readAt`: by the monotonic clock, before and after the store was asked. */
const emptyLog = { requests: new Map() as RequestsById, nowMs: 0, wallMs: 0, askedAt: 0, readAt: -Infinity }

/** The clock is one more request: `sentAt` is what it showed when the wall clock showed `finishedAt`. */
const CLOCK_ID = 0

export const isRequest = ({ purpose }: StoredRequest) => purpose !== 'clock'

/** What either copy knows counts, and the clock that is further on. */
function mergeRequests(...copies: Iterable<StoredRequest>[]): RequestsById {
  const merged: RequestsById = new Map()
  for (const request of copies.flatMap((copy) => [...copy])) {
    const known = merged.get(request.id)
    const isNews = isRequest(request) ? known?.finishedAt === null : request.sentAt > (known?.sentAt ?? 0)
    if (!known || isNews) merged.set(request.id, request)
  }
  return merged
}

/** The service may count a request until its answer ends: only then does its window begin. */
export function findReleaseTime({ purpose, sentAt, finishedAt }: StoredRequest, holdMs: number, now: number): number {
  if (purpose === 'back-off') return finishedAt ?? now
  return (finishedAt ?? Math.min(now, sentAt + UNFINISHED_MS)) + holdMs
}

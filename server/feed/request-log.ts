import { withTimeout } from '@/server/base/deadline'

export type RequestPurpose = 'list' | 'lookup'

/** A back-off is stored like a request that ends when requests may be sent again. */
export type StoredRequest = {
  id: number
  purpose: RequestPurpose | 'back-off' | 'clock'
  /** In ms of the log's own clock. */
  sentAt: number
  /** Null until the answer has ended; in the future while the service may still count an abandoned request. */
  finishedAt: number | null
}
/** `nowMs` is the database's clock. */
export type StoredLog = { requests: StoredRequest[]; nowMs: number }
export type RequestsById = Map<number, StoredRequest>

export type BudgetStore = {
  /** Reads the log, lets `change` decide, and writes, in one step. */
  update(change: (log: StoredLog) => { upserts: StoredRequest[]; deletedIds: number[] }): Promise<void>
}

/** `now` is the wall clock, and `monotonic` only ever goes forward. Both are in ms. */
export type BudgetClock = { now(): number; monotonic(): number }

export const ABANDONED_HOLD_MS = 60_000
/** A request whose end is not known counts as ended this long after it was sent. */
export const UNFINISHED_HOLD_MS = 360_000
/** The log's clock is stored as one more row: it showed `sentAt` when the database's showed `finishedAt`. */
const CLOCK_ID = 0

type CreateRequest = (requests: RequestsById, now: number) => StoredRequest | null

export type RequestLogOptions = {
  clock: BudgetClock
  store: BudgetStore
  logger?: { warn(details: object, message: string): void }
  storeTimeoutMs?: number
  holdMs: number
}

/** The log's clock advances by the lesser of database and monotonic time: setting a clock frees no place early. */
export function createRequestLog({ clock, store, logger, holdMs, storeTimeoutMs = 5_000 }: RequestLogOptions) {
  let pending: CreateRequest[] = []
  let latest = { requests: new Map() as RequestsById, nowMs: 0, databaseMs: 0, readAt: -Infinity }

  /** Stores the pending requests and the one of `create`, which is returned. Returns null when the store failed. */
  async function update(create: CreateRequest = () => null): Promise<{ created: StoredRequest | null } | null> {
    // The wait for the database is left out, so that it frees no place. Its clock has whole ms, hence the rounding up.
    const expectedMs = Math.ceil(latest.databaseMs + clock.monotonic() - latest.readAt)
    const creators = [...pending, create]
    let next = latest
    let created: StoredRequest | null = null
    try {
      const writing = store.update(({ requests: stored, nowMs: databaseMs }) => {
        const requests: RequestsById = new Map(stored.map((request) => [request.id, request]))
        const nowMs = advanceClock(requests.get(CLOCK_ID), databaseMs, expectedMs)
        requests.set(CLOCK_ID, { id: CLOCK_ID, purpose: 'clock', sentAt: nowMs, finishedAt: databaseMs })
        for (const creator of creators) {
          created = creator(requests, nowMs)
          if (created !== null) requests.set(created.id, created)
        }
        for (const [id, request] of requests)
          if (!isClockRow(request) && findReleaseTime(request, holdMs, nowMs) <= nowMs) requests.delete(id)
        next = { requests, nowMs, databaseMs, readAt: clock.monotonic() }
        const unchanged = new Set(stored)
        const deletedIds = stored.flatMap(({ id }) => (requests.has(id) ? [] : [id]))
        return { upserts: [...requests.values()].filter((request) => !unchanged.has(request)), deletedIds }
      })
      await withTimeout(writing, storeTimeoutMs)
    } catch (err) {
      logger?.warn({ err }, 'the log of requests to the service cannot be kept')
      return null
    }
    latest = next
    pending = pending.filter((creator) => !creators.includes(creator))
    return { created }
  }

  return {
    requests: () => latest.requests,
    now: () => latest.nowMs + clock.monotonic() - latest.readAt,
    enqueue: (create: CreateRequest) => void pending.push(create),
    update,
  }
}

/** `expectedMs` is what the database's clock should show by the monotonic one. */
function advanceClock(stored: StoredRequest | undefined, databaseMs: number, expectedMs: number): number {
  if (!stored) return databaseMs
  return stored.sentAt + Math.max(0, Math.min(databaseMs, expectedMs) - (stored.finishedAt ?? databaseMs))
}

export const isClockRow = ({ purpose }: StoredRequest) => purpose === 'clock'

/** A request's window begins when its answer ends, because until then the service may count it. */
export function findReleaseTime({ purpose, sentAt, finishedAt }: StoredRequest, holdMs: number, now: number): number {
  if (purpose === 'back-off') return finishedAt ?? now
  return (finishedAt ?? Math.min(now, sentAt + UNFINISHED_HOLD_MS)) + holdMs
}

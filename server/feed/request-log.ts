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
export type StoredLog = {
  requests: StoredRequest[]
  /** The store's clock if all instances share it; otherwise each goes by its own wall clock. */
  nowMs?: number
  /** No other process writes the log, so that the open requests of others are a dead process's. */
  isSingleProcess?: boolean
}
export type RequestsById = Map<number, StoredRequest>

export type BudgetStore = {
  /** Reads the log, lets `change` decide, and writes, in one step; `change` may be called again. */
  update(change: (log: StoredLog) => { upserts: StoredRequest[]; deletedIds: number[] }): Promise<void>
}

/** `now` is the wall clock, and `monotonic` only ever goes forward. Both are in ms. */
export type BudgetClock = { now(): number; monotonic(): number }

export const ABANDONED_HOLD_MS = 60_000
/** A request whose end is not known counts as ended this long after it was sent. */
export const UNFINISHED_HOLD_MS = 360_000
const CLOCK_TOLERANCE_MS = 250
/** The log's clock is stored as one more row: it showed `sentAt` when the wall clock showed `finishedAt`. */
const CLOCK_ID = 0
/** `askedAt` and `readAt` are moments of the monotonic clock before and after the store was read. */
const emptyLog = { requests: new Map() as RequestsById, nowMs: 0, wallMs: 0, askedAt: 0, readAt: -Infinity }

type CreateRequest = (requests: RequestsById, now: number) => StoredRequest | null

export type RequestLogOptions = {
  clock: BudgetClock
  store: BudgetStore
  logger?: { warn(details: object, message: string): void }
  storeTimeoutMs?: number
  holdMs: number
}

/** The log's clock advances by the lesser of wall and monotonic time, so that setting a clock frees no place early. */
export function createRequestLog({ clock, store, logger, holdMs, storeTimeoutMs = 5_000 }: RequestLogOptions) {
  const ownIds = new Set<number>()
  let pending: CreateRequest[] = []
  let latest = emptyLog
  let lastWallOffset = 0
  const readWallOffset = () => clock.now() - clock.monotonic()

  function mergeLog(stored: StoredLog, startedAt: number): typeof emptyLog {
    const readAt = clock.monotonic()
    const wallMs = stored.nowMs ?? clock.now()
    const askedAt = stored.nowMs === undefined ? readAt : startedAt
    const requests = mergeRequests(stored.requests, latest.requests.values())
    const clockEntry = requests.get(CLOCK_ID)
    // Since the clock was stored, no more time has passed than either the wall clock or the monotonic one says.
    const expectedWallMs = latest.wallMs + askedAt - latest.readAt
    const elapsedMs = Math.max(0, Math.min(wallMs, expectedWallMs) - (clockEntry?.finishedAt ?? wallMs))
    const nowMs = Math.floor(clockEntry ? clockEntry.sentAt + elapsedMs : wallMs)
    // A dead process cannot finish its requests.
    for (const request of requests.values())
      if (stored.isSingleProcess && request.finishedAt === null && !ownIds.has(request.id))
        requests.set(request.id, { ...request, finishedAt: nowMs + ABANDONED_HOLD_MS })
    requests.set(CLOCK_ID, { id: CLOCK_ID, purpose: 'clock', sentAt: nowMs, finishedAt: Math.ceil(wallMs) })
    return { requests, nowMs, wallMs, askedAt, readAt }
  }

  /** Stores the pending requests and the one of `create`, which is returned. Returns null when the store failed. */
  async function update(create: CreateRequest = () => null): Promise<{ created: StoredRequest | null } | null> {
    const startedAt = clock.monotonic()
    const creators = [...pending, create]
    let next = latest
    let created: StoredRequest | null = null
    try {
      const writing = store.update((stored) => {
        next = mergeLog(stored, startedAt)
        const { requests, nowMs } = next
        for (const creator of creators) {
          created = creator(requests, nowMs)
          if (created === null) continue
          requests.set(created.id, created)
          ownIds.add(created.id)
        }
        for (const [id, request] of requests) {
          if (!isRequest(request) || findReleaseTime(request, holdMs, nowMs) > nowMs) continue
          requests.delete(id)
          ownIds.delete(id)
        }
        const storedById = mergeRequests(stored.requests)
        const differsFromStore = ({ id, sentAt, finishedAt }: StoredRequest) =>
          storedById.get(id)?.sentAt !== sentAt || storedById.get(id)?.finishedAt !== finishedAt
        const deletedIds = [...storedById.keys()].filter((id) => !requests.has(id))
        return { upserts: [...requests.values()].filter(differsFromStore), deletedIds }
      })
      await withTimeout(writing, storeTimeoutMs)
    } catch (err) {
      logger?.warn({ err }, 'the log of requests to the service cannot be kept')
      return null
    }
    latest = next
    lastWallOffset = readWallOffset()
    pending = pending.filter((creator) => !creators.includes(creator))
    return { created }
  }

  return {
    requests: () => latest.requests,
    now: () => latest.nowMs + clock.monotonic() - latest.askedAt,
    isFresh: (maxAgeMs: number) =>
      clock.monotonic() - latest.readAt < maxAgeMs && Math.abs(readWallOffset() - lastWallOffset) < CLOCK_TOLERANCE_MS,
    enqueue: (create: CreateRequest) => void pending.push(create),
    update,
  }
}

export const isRequest = ({ purpose }: StoredRequest) => purpose !== 'clock'

/** Merges copies of the log: a finished request replaces an open one, and the later clock an earlier one. */
function mergeRequests(...copies: Iterable<StoredRequest>[]): RequestsById {
  const merged: RequestsById = new Map()
  for (const request of copies.flatMap((copy) => [...copy])) {
    const earlierCopy = merged.get(request.id)
    const isNewer = isRequest(request) ? earlierCopy?.finishedAt === null : request.sentAt > (earlierCopy?.sentAt ?? 0)
    if (!earlierCopy || isNewer) merged.set(request.id, request)
  }
  return merged
}

/** A request's window begins when its answer ends, because until then the service may count it. */
export function findReleaseTime({ purpose, sentAt, finishedAt }: StoredRequest, holdMs: number, now: number): number {
  if (purpose === 'back-off') return finishedAt ?? now
  return (finishedAt ?? Math.min(now, sentAt + UNFINISHED_HOLD_MS)) + holdMs
}

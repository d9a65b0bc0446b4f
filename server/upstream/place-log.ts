import 'server-only'
import { type BudgetRules, type BudgetWindow, hourRoomAt, paceMs, type Purpose, roomAt, type Taken } from './windows'

export type PlaceLog = ReturnType<typeof createPlaceLog>

/** Who holds a place in the windows, as this process knows it from its own sending and from the store. */
export function createPlaceLog(rules: BudgetRules) {
  const places = new Map<number, Place>()
  let offset: number | null = null

  /** Takes in what the store says; answers what the store ought to say instead. */
  function merge(log: StoredLog, reading: Reading): LogChange {
    const stored = new Map(log.requests.map((request) => [request.id, request]))
    const stepMs = Math.max(0, reading.nowMs - reading.after - (offset ?? Infinity))
    offset = reading.nowMs - reading.after
    for (const request of log.requests)
      mergeRequest(places, request, reading, { doubtMs: FIRST_DOUBT_MS + stepMs, isAlone: log.isAlone })
    const change: LogChange = { write: [], remove: [] }
    for (const [id, place] of places) {
      const request = stored.get(id)
      if (heldUntil(place, rules.hour, reading.after) > reading.after) {
        const known = asStored(id, place, reading)
        if (!request || isMisleading(request, known, reading.nowMs)) change.write.push(known)
      } else if (!request) places.delete(id)
      else if (request.sentAt < reading.nowMs - KEPT_MS || request.sentAt > reading.nowMs) change.remove.push(id)
    }
    return change
  }

  /** The first moment at which a request may be sent, as far as is known; not after `now` when it may be now. */
  function freeAt(purpose: Purpose, now: number): number {
    let at = -Infinity
    for (const place of places.values()) {
      if (place.purpose === 'back-off') at = Math.max(at, place.finishedAt ?? now)
    }
    const inSecond = taken(rules.second, now)
    return Math.max(at, roomAt(rules.second, purpose, inSecond), hourRoomAt(rules, purpose, taken(rules.hour, now)))
  }

  /** Until when the places of a window are taken. */
  function taken(window: BudgetWindow, now: number): Taken {
    const moments: Taken = { all: [], list: [], lookup: [] }
    for (const place of places.values()) {
      const until = heldUntil(place, window, now)
      if (until <= now || place.purpose === 'back-off') continue
      moments.all.push(until)
      moments[place.purpose].push(until)
    }
    return moments
  }

  return {
    merge,
    freeAt,
    /** How long to wait, ms, from one list to the next. */
    paceMs: (now: number) => paceMs(rules, taken(rules.hour, now).all, now),
    /** A request, or a back-off, of this process itself. */
    add: (id: number, place: Omit<Place, 'own'>) => void places.set(id, { ...place, own: true }),
    finish: (id: number, at: number) => {
      const place = places.get(id)
      if (place) place.finishedAt ??= at
    },
    /** How many places of a window are taken. */
    spent: (now: number, window: 'second' | 'hour' = 'hour') => taken(rules[window], now).all.length,
  }
}

/** A request as stored beyond the process; a back-off is stored likewise and ends when requests may be sent again. */
export type StoredRequest = {
  id: number
  purpose: Purpose | 'back-off'
  /** Wall clock, ms. */
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

/** Times are of the process's monotonic clock, ms: nobody can set that one. */
type Place = { purpose: StoredRequest['purpose']; sentAt: number; finishedAt: number | null; own: boolean }
/** `before` and `after`: the monotonic clock around the reading of the store, at whose clock it was `nowMs`. */
type Reading = { nowMs: number; before: number; after: number }

export const SECOND_MS = 1_000
export const HOUR_MS = 3_600_000

/** After we gave up on a request the service may still find it in a queue and count it; not later than this. */
export const ABANDONED_MS = 60_000
/** A request whose end nobody saw (the process died) is taken to have ended this long after it was sent. */
export const UNFINISHED_MS = 360_000
/** Nothing makes us stay silent for longer than this at a time. */
export const LONGEST_BACK_OFF_MS = 60 * 60_000

/** Clocks that part by more than this are noticed; by less, they jitter. */
export const NOTICED_MS = 250
/** Times that another process stored are taken as this much later: its clock may be off by as much unnoticed. */
const DOUBT_MS = 750
/** And at the first reading by this much: processes that knew the request have corrected it only where it was noticeably off. */
const FIRST_DOUBT_MS = DOUBT_MS + NOTICED_MS - 1
const KEPT_MS = 2 * HOUR_MS

/** The service may count a request at any moment until its answer ends: only from then on does its window run. */
function heldUntil(place: Place, window: BudgetWindow, now: number): number {
  if (place.purpose === 'back-off') return place.finishedAt ?? now
  return (place.finishedAt ?? Math.min(now, place.sentAt + UNFINISHED_MS)) + window.holdMs
}

type MergeOptions = { doubtMs: number; isAlone: boolean | undefined }

/**
 * What another process stored becomes moments of this process's clock, in the latest way that fits, but never in a future
 * that a wall clock set back would make of it. A new entry may have been written before the last step forward.
 */
function mergeRequest(
  places: Map<number, Place>,
  request: StoredRequest,
  reading: Reading,
  options: MergeOptions,
): void {
  const { doubtMs, isAlone } = options
  const known = places.get(request.id)
  if (known?.own) return
  const inProcess = (storedAt: number) => storedAt - reading.nowMs + reading.after
  const latest = reading.after + (request.purpose === 'back-off' ? LONGEST_BACK_OFF_MS : 0)
  const sentAt = Math.min(reading.after, later(known?.sentAt, inProcess(request.sentAt), doubtMs))
  const finishedAt =
    request.finishedAt === null
      ? (known?.finishedAt ?? (isAlone ? reading.after + ABANDONED_MS : null))
      : Math.min(latest, later(known?.finishedAt, inProcess(request.finishedAt), doubtMs))
  places.set(request.id, { purpose: request.purpose, sentAt, finishedAt, own: false })
}

/** A moment once known moves only when the store noticeably corrects it. */
function later(known: number | null | undefined, moment: number, doubtMs: number): number {
  if (known === null || known === undefined) return moment + doubtMs
  return moment + DOUBT_MS - known > NOTICED_MS ? moment + DOUBT_MS : known
}

/** Whole moments of the past only, back-offs apart: a moment to come would shift with the next step of the clock. */
function asStored(id: number, { purpose, sentAt, finishedAt, own }: Place, reading: Reading): StoredRequest {
  const shift = own ? reading.nowMs - reading.before : reading.nowMs - reading.after - DOUBT_MS
  const isKnown = finishedAt !== null && (purpose === 'back-off' || finishedAt <= reading.after)
  return {
    id,
    purpose,
    sentAt: Math.ceil(sentAt + shift),
    finishedAt: isKnown ? Math.ceil(finishedAt + shift) : null,
  }
}

/** After a step of the wall clock a stored request looks older than it is, or lies in the future. */
function isMisleading(stored: StoredRequest, known: StoredRequest, nowMs: number): boolean {
  if (known.sentAt - stored.sentAt > NOTICED_MS || stored.sentAt > nowMs + NOTICED_MS) return true
  if (known.finishedAt === null) return false
  return stored.finishedAt === null || known.finishedAt - stored.finishedAt > NOTICED_MS
}

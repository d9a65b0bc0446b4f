import 'server-only'
import { randomInt } from 'node:crypto'
import { createSerialQueue } from '@/server/base/concurrency-limit'
import {
  ABANDONED_HOLD_MS,
  createRequestLog,
  findReleaseTime,
  HOUR_MS,
  type RequestPurpose,
  type RequestLogOptions,
  type RequestsById,
  SECOND_MS,
  type StoredRequest,
} from './request-log'

export type BudgetLimits = { perSecond: number; perHour: number }

export type Reservation =
  /** To be called once, when the answer has ended or was abandoned. */
  { ok: true; finish(answer?: 'whole' | 'abandoned'): Promise<void> } | { ok: false; retryAtMs: number }

export type Budget = ReturnType<typeof createBudget>

export type BudgetOptions = Omit<RequestLogOptions, 'holdMs'> & { limits: BudgetLimits }

const REFUSAL_HOLDS_MS = 1_000
const STORE_RETRY_MS = 5_000
const MAX_BACK_OFF_MS = HOUR_MS
const MAX_IDS = 2 ** 48 - 1

/** Sliding windows over a shared log; a request holds its place until a window after its end. Fails closed. */
export function createBudget({ limits, ...options }: BudgetOptions) {
  const { clock } = options
  const rules = createBudgetRules(limits)
  const log = createRequestLog({ ...options, holdMs: rules.hour.holdMs })
  const runInOrder = createSerialQueue()
  const sync = () => runInOrder(async () => void (await log.update()))
  const listReleasesNow = (window: BudgetWindow) => listReleases(window, log.requests(), log.now()).all
  const waitMs = (purpose: RequestPurpose) => Math.max(0, findFreeAt(rules, log.requests(), purpose, log.now()) - log.now())
  const estimateFreeAt = (purpose: RequestPurpose) => Math.ceil(clock.now() + waitMs(purpose))
  const refuse = (purpose: RequestPurpose): Reservation => ({
    ok: false,
    retryAtMs: Math.max(estimateFreeAt(purpose), clock.now() + 1),
  })

  async function reserve(purpose: RequestPurpose): Promise<Reservation> {
    if (log.isFresh(REFUSAL_HOLDS_MS) && waitMs(purpose) > 0) return refuse(purpose)
    let granted: StoredRequest | null = null
    const isKnown = await log.update((requests, now) => {
      const isFree = findFreeAt(rules, requests, purpose, now) <= now
      granted = isFree ? { id: randomInt(1, MAX_IDS), purpose, sentAt: now, finishedAt: null } : null
      return granted
    })
    if (!isKnown) return { ok: false, retryAtMs: clock.now() + STORE_RETRY_MS }
    return granted ? { ok: true, finish: createFinish(granted) } : refuse(purpose)
  }

  const createFinish =
    (request: StoredRequest) =>
    (answer: 'whole' | 'abandoned' = 'whole'): Promise<void> => {
      log.enqueue((_, now) => ({ ...request, finishedAt: now + (answer === 'whole' ? 0 : ABANDONED_HOLD_MS) }))
      return sync()
    }

  function backOff(untilMs: number): Promise<void> {
    const id = randomInt(1, MAX_IDS)
    const forMs = Math.min(MAX_BACK_OFF_MS, Math.max(0, Math.ceil(untilMs - clock.now())))
    log.enqueue((_, now) => ({ id, purpose: 'back-off', sentAt: now, finishedAt: now + forMs }))
    return sync()
  }

  return {
    /** Recorded before it is granted. Neither waits nor rejects. */
    reserve: (purpose: RequestPurpose): Promise<Reservation> => runInOrder(() => reserve(purpose)),
    /** The first moment (wall clock, ms) at which `reserve` may succeed, as far as this process knows. */
    nextFreeAt: estimateFreeAt,
    listsPerHour: () => HOUR_MS / findPaceMs(rules, listReleasesNow(rules.hour), log.now()),
    usage: () => ({ spentThisHour: listReleasesNow(rules.hour).length, ...limits }),
    spentThisSecond: () => listReleasesNow(rules.second).length,
    /** Sends nothing before `untilMs` (wall clock), at most for an hour: the service said 429. */
    backOff,
    sync,
  }
}

/** A request keeps its place for `holdMs` after its answer ended; `places` caps all requests and each purpose. */
type BudgetWindow = { holdMs: number; places: { all: number } & Record<RequestPurpose, number> }
type BudgetRules = { second: BudgetWindow; hour: BudgetWindow; lookupReserve: number }

/** Eight times what crystals and NTP's slewing come to (RFC 5905: 500 ppm), and at least this much jitter. */
const DRIFT = 0.0055
const MIN_MARGIN_MS = 50
const LOOKUP_SHARE = 0.05
const LOOKUP_RESERVE = 2

/**
 * Look-ups get a twentieth of the hour; two places are kept in hand, the rest is lent to the lists until wanted. So a
 * look-up finds a place at once unless there were two within 24 s, and lists get at least 570 an hour.
 */
export function createBudgetRules({ perSecond, perHour }: BudgetLimits): BudgetRules {
  const lookupsPerHour = perHour >= 10 ? Math.max(1, Math.round(perHour * LOOKUP_SHARE)) : 0
  const lookupReserve = Math.min(LOOKUP_RESERVE, lookupsPerHour)
  const forTheOther = perSecond >= 2 ? 1 : 0
  const holdMs = (windowMs: number) => windowMs + Math.max(MIN_MARGIN_MS, windowMs * DRIFT)
  return {
    second: {
      holdMs: holdMs(SECOND_MS),
      places: { all: perSecond, list: perSecond - forTheOther, lookup: perSecond - forTheOther },
    },
    hour: {
      holdMs: holdMs(HOUR_MS),
      places: { all: perHour, list: perHour - lookupReserve, lookup: Math.max(1, lookupsPerHour) },
    },
    lookupReserve: lookupReserve,
  }
}

/** While no more of the hour is taken, no look-up waits for a turn. */
const UNCROWDED_SHARE = 0.9

/** The first moment with a place in both windows, and after every back-off. */
function findFreeAt({ second, hour, lookupReserve: lookupReserve }: BudgetRules, requests: RequestsById, purpose: RequestPurpose, now: number): number {
  const inSecond = listReleases(second, requests, now)
  const inHour = listReleases(hour, requests, now)
  const { places, holdMs } = hour
  const backOffs = [...requests.values()].filter((request) => request.purpose === 'back-off')
  let turnAt: number
  if (purpose === 'list') {
    const reserved = Math.max(0, Math.min(lookupReserve, places.lookup - inHour.lookup.length))
    turnAt = findVacancy(inHour.all, places.all - reserved)
  } else {
    // Look-ups take what is in hand in the time in which twice as much comes back.
    const turnMs = (2 * lookupReserve * holdMs) / places.all
    const lately = inHour.lookup.map((until) => until - holdMs + turnMs)
    turnAt = Math.min(findVacancy(inHour.all, Math.floor(places.all * UNCROWDED_SHARE)), findVacancy(lately, Math.max(1, lookupReserve)))
  }
  return Math.max(
    turnAt,
    findVacancy(inHour.all, places.all),
    findVacancy(inHour[purpose], places[purpose]),
    findVacancy(inSecond.all, second.places.all),
    findVacancy(inSecond[purpose], second.places[purpose]),
    ...backOffs.map(({ finishedAt }) => finishedAt ?? -Infinity),
  )
}

function listReleases({ holdMs }: BudgetWindow, requests: RequestsById, now: number) {
  const taken = { all: [] as number[], list: [] as number[], lookup: [] as number[] }
  for (const request of requests.values()) {
    const until = findReleaseTime(request, holdMs, now)
    if (until <= now || request.purpose === 'back-off' || request.purpose === 'clock') continue
    taken.all.push(until)
    taken[request.purpose].push(until)
  }
  return taken
}

/** When so few of these moments are left that a place is free. */
function findVacancy(moments: number[], places: number): number {
  if (moments.length < places) return -Infinity
  return moments.sort((a, b) => a - b)[moments.length - places] ?? -Infinity
}

/** Left over by the pace: where two lists meet, a place may be wanted before it is free. */
const SPARE = 0.005
/** The first ten minutes after a quiet hour are this much faster, for those who leave early. */
const HEAD_START = 1.25

/** Even pace (ms) that the slowest stretch to come allows: by each moment no more is sent than has come back. */
function findPaceMs({ hour: { places, holdMs }, lookupReserve: lookupReserve }: BudgetRules, all: number[], now: number): number {
  let pace = holdMs / Math.max(1, places.all * (1 - SPARE) - lookupReserve)
  let comeBack = places.all - lookupReserve - all.length
  for (const until of all.sort((a, b) => a - b)) pace = Math.max(pace, (until - now) / Math.max(1, ++comeBack))
  return all.length < places.all * (HEAD_START / 6) ? pace / HEAD_START : pace
}

import { randomInt } from 'node:crypto'
import { HOUR_MS, SECOND_MS } from '@/lib/time/durations'
import { createConcurrencyLimit } from '@/server/base/concurrency-limit'
import {
  ABANDONED_HOLD_MS,
  createRequestLog,
  findReleaseTime,
  type RequestLogOptions,
  type RequestPurpose,
  type RequestsById,
} from './request-log'

export type BudgetLimits = { perSecond: number; perHour: number }

export type Reservation =
  /** The caller calls `finish` once, when the answer has ended or was abandoned. */
  { ok: true; finish(answer?: 'complete' | 'abandoned'): Promise<void> } | { ok: false; retryAtMs: number }

export type Budget = ReturnType<typeof createBudget>

export type BudgetOptions = Omit<RequestLogOptions, 'holdMs'> & { limits: BudgetLimits }

const REFUSAL_TTL_MS = 1_000
const STORE_RETRY_MS = 5_000
const MAX_BACK_OFF_MS = HOUR_MS
const createId = () => randomInt(1, 2 ** 48 - 1)

/** Limits requests by sliding windows over a shared log. Nothing may be sent while its store fails. */
export function createBudget({ limits, ...options }: BudgetOptions) {
  const { clock } = options
  const rules = createBudgetRules(limits)
  const log = createRequestLog({ ...options, holdMs: rules.hour.holdMs })
  const runInOrder = createConcurrencyLimit(1)
  const sync = () => runInOrder(async () => void (await log.update()))
  const countSpent = (window: BudgetWindow) => listReleases(window, log.requests(), log.now()).all.length
  const waitMs = (purpose: RequestPurpose) =>
    Math.max(0, findFreeAt(rules, log.requests(), purpose, log.now()) - log.now())
  const estimateFreeAt = (purpose: RequestPurpose) => Math.ceil(clock.now() + waitMs(purpose))
  const refuse = (purpose: RequestPurpose): Reservation => ({
    ok: false,
    retryAtMs: Math.max(estimateFreeAt(purpose), clock.now() + 1),
  })

  async function reserve(purpose: RequestPurpose): Promise<Reservation> {
    if (log.isFresh(REFUSAL_TTL_MS) && waitMs(purpose) > 0) return refuse(purpose)
    const update = await log.update((requests, now) =>
      findFreeAt(rules, requests, purpose, now) > now
        ? null
        : { id: createId(), purpose, sentAt: now, finishedAt: null },
    )
    if (update === null) return { ok: false, retryAtMs: clock.now() + STORE_RETRY_MS }
    const { created: request } = update
    if (request === null) return refuse(purpose)
    const finish = (answer: 'complete' | 'abandoned' = 'complete') => {
      log.enqueue((_, now) => ({ ...request, finishedAt: now + (answer === 'complete' ? 0 : ABANDONED_HOLD_MS) }))
      return sync()
    }
    return { ok: true, finish }
  }

  function backOff(untilMs: number): Promise<void> {
    const id = createId()
    const durationMs = Math.min(MAX_BACK_OFF_MS, Math.max(0, Math.ceil(untilMs - clock.now())))
    log.enqueue((_, now) => ({ id, purpose: 'back-off', sentAt: now, finishedAt: now + durationMs }))
    return sync()
  }

  return {
    /** Never rejects. Waits for the store, but not for a place. A reservation is stored before it is granted. */
    reserve: (purpose: RequestPurpose): Promise<Reservation> => runInOrder(() => reserve(purpose)),
    /** The first moment (wall clock, ms) at which `reserve` may succeed, by what this process knows. */
    estimateFreeAt,
    listsPerHour: () => HOUR_MS / findPaceMs(rules, log.requests(), log.now()),
    usage: () => ({ spentThisHour: countSpent(rules.hour), ...limits }),
    spentThisSecond: () => countSpent(rules.second),
    /** After a 429, nothing is sent before `untilMs` (wall clock), for an hour at most. */
    backOff,
    sync,
  }
}

/** A request keeps its place for `holdMs` after its answer ended. There are `places` for all and for each purpose. */
type BudgetWindow = { holdMs: number; places: { all: number } & Record<RequestPurpose, number> }
type BudgetRules = { second: BudgetWindow; hour: BudgetWindow; lookupReserve: number }

/** Windows are longer by ten times the drift of clocks (NTP slews by 500 ppm, RFC 5905), and by 50 ms at least. */
const DRIFT = 0.0055
const MIN_MARGIN_MS = 50
const LOOKUP_SHARE = 0.05
const LOOKUP_RESERVE = 2

/**
 * Look-ups may use a twentieth of the hour, and two places are theirs alone: a look-up has a place at once unless there
 * were two within 24 s, and lists have at least 570 of 600 places an hour.
 */
function createBudgetRules({ perSecond, perHour }: BudgetLimits): BudgetRules {
  const lookupsPerHour = perHour >= 10 ? Math.max(1, Math.round(perHour * LOOKUP_SHARE)) : 0
  const lookupReserve = Math.min(LOOKUP_RESERVE, lookupsPerHour)
  const otherReserve = perSecond >= 2 ? 1 : 0
  const addMargin = (windowMs: number) => windowMs + Math.max(MIN_MARGIN_MS, windowMs * DRIFT)
  return {
    second: {
      holdMs: addMargin(SECOND_MS),
      places: { all: perSecond, list: perSecond - otherReserve, lookup: perSecond - otherReserve },
    },
    hour: {
      holdMs: addMargin(HOUR_MS),
      places: { all: perHour, list: perHour - lookupReserve, lookup: Math.max(1, lookupsPerHour) },
    },
    lookupReserve,
  }
}

/** While less of the hour is used, look-ups take any place; beyond it they wait for a reserved one. */
const UNCROWDED_SHARE = 0.9

/** Finds the first moment with a place in both windows and after every back-off. */
function findFreeAt(rules: BudgetRules, requests: RequestsById, purpose: RequestPurpose, now: number): number {
  const { second, hour, lookupReserve } = rules
  const secondReleases = listReleases(second, requests, now)
  const hourReleases = listReleases(hour, requests, now)
  const { places, holdMs } = hour
  const backOffs = [...requests.values()].filter((request) => request.purpose === 'back-off')
  const findPlaceInHour = () => {
    // Lists keep free the places that look-ups have not used yet.
    if (purpose === 'list') {
      const reservedForLookups = Math.max(0, Math.min(lookupReserve, places.lookup - hourReleases.lookup.length))
      return findVacancy(hourReleases.all, places.all - reservedForLookups)
    }
    const uncrowdedAt = findVacancy(hourReleases.all, Math.floor(places.all * UNCROWDED_SHARE))
    // A reserved place is used again only after the time in which two places per reserved one become free.
    const turnMs = (2 * lookupReserve * holdMs) / places.all
    const turnEnds = hourReleases.lookup.map((until) => until - holdMs + turnMs)
    return Math.min(uncrowdedAt, findVacancy(turnEnds, Math.max(1, lookupReserve)))
  }
  return Math.max(
    findPlaceInHour(),
    findVacancy(hourReleases.all, places.all),
    findVacancy(hourReleases[purpose], places[purpose]),
    findVacancy(secondReleases.all, second.places.all),
    findVacancy(secondReleases[purpose], second.places[purpose]),
    ...backOffs.map(({ finishedAt }) => finishedAt ?? -Infinity),
  )
}

function listReleases({ holdMs }: BudgetWindow, requests: RequestsById, now: number) {
  const releases = { all: [] as number[], list: [] as number[], lookup: [] as number[] }
  for (const request of requests.values()) {
    const until = findReleaseTime(request, holdMs, now)
    if (until <= now || request.purpose === 'back-off' || request.purpose === 'clock') continue
    releases.all.push(until)
    releases[request.purpose].push(until)
  }
  return releases
}

/** Finds when fewer than `places` of these requests hold a place; -Infinity if they do now. */
function findVacancy(releases: number[], places: number): number {
  if (releases.length < places) return -Infinity
  return releases.sort((a, b) => a - b)[releases.length - places] ?? -Infinity
}

/** This share stays unused, so that two lists that fall due together both find a place. */
const SPARE_SHARE = 0.005
/** After a quiet hour the pace is faster for about ten minutes, for users who look in only briefly. */
const HEAD_START_FACTOR = 1.25
const QUIET_SHARE = HEAD_START_FACTOR / 6

/** Finds the even interval (ms) between requests at which a place is always free in time. */
function findPaceMs({ hour, lookupReserve }: BudgetRules, requests: RequestsById, now: number): number {
  const { places, holdMs } = hour
  const releases = listReleases(hour, requests, now).all.sort((a, b) => a - b)
  let pace = holdMs / Math.max(1, places.all * (1 - SPARE_SHARE) - lookupReserve)
  let freePlaces = places.all - lookupReserve - releases.length
  for (const until of releases) {
    freePlaces++
    pace = Math.max(pace, (until - now) / Math.max(1, freePlaces))
  }
  const isQuiet = releases.length < places.all * QUIET_SHARE
  return isQuiet ? pace / HEAD_START_FACTOR : pace
}

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
  { ok: true; finish(outcome?: 'complete' | 'abandoned'): Promise<void> } | { ok: false; retryAtMs: number }

export type Budget = ReturnType<typeof createBudget>

export type BudgetOptions = Omit<RequestLogOptions, 'holdMs'> & { limits: BudgetLimits }

const STORE_RETRY_MS = 5_000
const createRequestId = () => randomInt(1, 2 ** 48 - 1)

/** Limits requests by sliding windows over a shared log. Nothing may be sent while its store fails. */
export function createBudget({ limits, ...options }: BudgetOptions) {
  const { clock } = options
  const rules = createBudgetRules(limits)
  const log = createRequestLog({ ...options, holdMs: rules.hour.holdMs })
  const runInOrder = createConcurrencyLimit(1)
  const sync = () => runInOrder(async () => void (await log.update()))
  const countSpent = (window: BudgetWindow) => listReleases(window, log.requests(), log.now()).all.length

  /** Until these moments (ms, monotonic), requests are refused without asking the database. */
  const refusedUntil: Record<RequestPurpose, number> = { list: -Infinity, lookup: -Infinity }
  const refuse = (purpose: RequestPurpose): Reservation => ({
    ok: false,
    retryAtMs: clock.now() + Math.max(1, Math.ceil(refusedUntil[purpose] - clock.monotonic())),
  })

  async function reserve(purpose: RequestPurpose): Promise<Reservation> {
    if (clock.monotonic() < refusedUntil[purpose]) return refuse(purpose)
    const update = await log.update((requests, now) =>
      findFreeAt(rules, requests, purpose, now) > now
        ? null
        : { id: createRequestId(), purpose, sentAt: now, finishedAt: null },
    )
    if (update === null) return { ok: false, retryAtMs: clock.now() + STORE_RETRY_MS }
    const { created: request } = update
    if (request === null) {
      const now = log.now()
      refusedUntil[purpose] = clock.monotonic() + findFreeAt(rules, log.requests(), purpose, now) - now
      return refuse(purpose)
    }
    const finish = (outcome: 'complete' | 'abandoned' = 'complete') => {
      log.enqueue((_, now) => ({ ...request, finishedAt: now + (outcome === 'complete' ? 0 : ABANDONED_HOLD_MS) }))
      return sync()
    }
    return { ok: true, finish }
  }

  function backOff(durationMs: number): Promise<void> {
    const id = createRequestId()
    log.enqueue((_, now) => ({ id, purpose: 'back-off', sentAt: now, finishedAt: now + durationMs }))
    return sync()
  }

  return {
    /** Never rejects. Waits for the store, but not for a place. A reservation is stored before it is granted. */
    reserve: (purpose: RequestPurpose): Promise<Reservation> => runInOrder(() => reserve(purpose)),
    /** Fetches of lists at this even pace find a place when they are due, while look-ups stay within their reserve. */
    listFetchesPerHour: (HOUR_MS / rules.hour.holdMs) * (limits.perHour * (1 - SPARE_SHARE) - rules.lookupReserve),
    usage: () => ({ spentThisHour: countSpent(rules.hour), ...limits }),
    spentThisSecond: () => countSpent(rules.second),
    /** Lets nobody send anything for this time, as the service demands by a 429. */
    backOff,
    sync,
  }
}

/** A request keeps its place for `holdMs` after its answer ended. There are `places` for all and for each purpose. */
type BudgetWindow = { holdMs: number; places: { all: number } & Record<RequestPurpose, number> }
type BudgetRules = { second: BudgetWindow; hour: BudgetWindow; lookupReserve: number }

/** Each window is longer by this share, eleven times the drift of clocks (NTP slews by 500 ppm, RFC 5905). */
const MARGIN_SHARE = 0.0055
const MIN_MARGIN_MS = 50
const LOOKUP_SHARE = 0.05
const MAX_LOOKUP_RESERVE = 2
/** This share stays unused, so that two lists that fall due together both find a place. */
const SPARE_SHARE = 0.005

/**
 * From ten requests an hour on, look-ups may use a twentieth of them, and two places are theirs alone: a look-up has a
 * place at once unless there were two within 24 s, and lists have at least 570 of 600 places an hour.
 */
function createBudgetRules({ perSecond, perHour }: BudgetLimits): BudgetRules {
  const lookupsPerHour = perHour >= 10 ? Math.max(1, Math.round(perHour * LOOKUP_SHARE)) : 0
  const lookupReserve = Math.min(MAX_LOOKUP_RESERVE, lookupsPerHour)
  const reservedForOther = perSecond >= 2 ? 1 : 0
  const addMargin = (windowMs: number) => windowMs + Math.max(MIN_MARGIN_MS, windowMs * MARGIN_SHARE)
  return {
    second: {
      holdMs: addMargin(SECOND_MS),
      places: { all: perSecond, list: perSecond - reservedForOther, lookup: perSecond - reservedForOther },
    },
    hour: {
      holdMs: addMargin(HOUR_MS),
      places: { all: perHour, list: perHour - lookupReserve, lookup: Math.max(1, lookupsPerHour) },
    },
    lookupReserve,
  }
}

/** Finds the first moment with a place in both windows and after every back-off. */
function findFreeAt(rules: BudgetRules, requests: RequestsById, purpose: RequestPurpose, now: number): number {
  const { second, hour, lookupReserve } = rules
  const secondReleases = listReleases(second, requests, now)
  const hourReleases = listReleases(hour, requests, now)
  const { places, holdMs } = hour
  const backOffs = [...requests.values()].filter((request) => request.purpose === 'back-off')
  const leftForLookups = Math.max(0, places.lookup - hourReleases.lookup.length)
  const reservedForLookups = purpose === 'list' ? Math.min(lookupReserve, leftForLookups) : 0
  // Of the places that become free, look-ups take every second one, so that a burst of them does not hold up the lists.
  const turnMs = (2 * lookupReserve * holdMs) / places.all
  const recentLookupReleases = purpose === 'lookup' ? listReleases({ holdMs: turnMs }, requests, now).lookup : []
  return Math.max(
    findVacancy(hourReleases.all, places.all - reservedForLookups),
    findVacancy(hourReleases[purpose], places[purpose]),
    findVacancy(recentLookupReleases, Math.max(1, lookupReserve)),
    findVacancy(secondReleases.all, second.places.all),
    findVacancy(secondReleases[purpose], second.places[purpose]),
    ...backOffs.map(({ finishedAt }) => finishedAt ?? -Infinity),
  )
}

function listReleases({ holdMs }: Pick<BudgetWindow, 'holdMs'>, requests: RequestsById, now: number) {
  const releases = { all: [] as number[], list: [] as number[], lookup: [] as number[] }
  for (const request of requests.values()) {
    const releaseAt = findReleaseTime(request, holdMs, now)
    if (releaseAt <= now || request.purpose === 'back-off' || request.purpose === 'clock') continue
    releases.all.push(releaseAt)
    releases[request.purpose].push(releaseAt)
  }
  return releases
}

/** Finds when fewer than `places` requests hold a place, by their releases; -Infinity if that is so now. */
function findVacancy(releases: number[], places: number): number {
  if (releases.length < places) return -Infinity
  return releases.toSorted((a, b) => a - b)[releases.length - places] ?? -Infinity
}

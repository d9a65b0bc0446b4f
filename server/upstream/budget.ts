import 'server-only'
import { randomInt } from 'node:crypto'
import { createQueue } from '@/server/queue'
import type { BudgetStore } from './budget-store'
import {
  ABANDONED_MS,
  backOffUntil,
  createRequestLog,
  HOUR_MS,
  type Requests,
  SECOND_MS,
  type StoredRequest,
  takenIn,
} from './request-log'
import { type BudgetRules, type BudgetWindow, hourRoomAt, paceMs, type Purpose, roomAt } from './windows'

export type BudgetLimits = { perSecond: number; perHour: number }

/** `now`: the wall clock; `monotonic`: a clock that only ever goes forward. Both ms. */
export type BudgetClock = { now(): number; monotonic(): number }

export type Reservation =
  /** To be called once, when the answer has ended, or with `abandoned` when nobody waits for its end any more. */
  { ok: true; finish(answer?: 'whole' | 'abandoned'): Promise<void> } | { ok: false; retryAtMs: number }

export type Budget = {
  /** A place for one request, recorded before it is granted. Never waits for one to become free; never rejects. */
  reserve(purpose: Purpose): Promise<Reservation>
  /** The first moment (wall clock, ms) at which `reserve` may succeed, as far as this process knows. */
  nextFreeAt(purpose: Purpose): number
  /** How many lists can be fetched in an hour at the pace that is right now. */
  listsPerHour(): number
  usage(): { spentThisHour: number; perHour: number; perSecond: number }
  /** Requests that count against the last second. */
  spentThisSecond(): number
  /** Sends nothing before `untilMs` (wall clock), at most for an hour: the service said 429 in spite of it all. */
  backOff(untilMs: number): Promise<void>
  /** Reads what other instances, or the process before this one, have sent. */
  sync(): Promise<void>
}

export type BudgetOptions = {
  limits: BudgetLimits
  clock: BudgetClock
  store: BudgetStore
  logger?: { warn(details: object, message: string): void }
  storeTimeoutMs?: number
}

/** A refusal holds for so long without reading the store again, so that many who ask cost it little. */
const REFUSAL_HOLDS_MS = 1_000
const STORE_RETRY_MS = 5_000
/** Nothing makes us stay silent for longer than this at a time. */
const LONGEST_BACK_OFF_MS = HOUR_MS
const MOST_IDS = 2 ** 48 - 1

/**
 * Sliding windows over a log that is shared through `store`. A request holds its place from its sending until a window
 * after its end, whenever between the two the service counted it. When the store fails nothing is sent.
 */
export function createBudget({ limits, ...options }: BudgetOptions): Budget {
  const { clock } = options
  const rules = budgetRules(limits)
  const log = createRequestLog({ ...options, holdMs: rules.hour.holdMs })
  const inOrder = createQueue()
  const sync = () => inOrder(async () => void (await log.update()))
  const taken = (window: BudgetWindow) => takenIn(window, log.requests(), log.now()).all
  const waitMs = (purpose: Purpose) => Math.max(0, freeAt(rules, log.requests(), purpose, log.now()) - log.now())
  const nextFreeAt = (purpose: Purpose) => Math.ceil(clock.now() + waitMs(purpose))
  const refusal = (purpose: Purpose): Reservation => ({
    ok: false,
    retryAtMs: Math.max(nextFreeAt(purpose), clock.now() + 1),
  })

  async function reserve(purpose: Purpose): Promise<Reservation> {
    if (log.isFresh(REFUSAL_HOLDS_MS) && waitMs(purpose) > 0) return refusal(purpose)
    let granted: StoredRequest | null = null
    const isKnown = await log.update((requests, now) => {
      const isFree = freeAt(rules, requests, purpose, now) <= now
      granted = isFree ? { id: randomInt(1, MOST_IDS), purpose, sentAt: now, finishedAt: null } : null
      return granted
    })
    if (!isKnown) return { ok: false, retryAtMs: clock.now() + STORE_RETRY_MS }
    return granted ? { ok: true, finish: finishOf(granted) } : refusal(purpose)
  }

  const finishOf =
    (request: StoredRequest) =>
    (answer: 'whole' | 'abandoned' = 'whole'): Promise<void> => {
      log.add((_, now) => ({ ...request, finishedAt: now + (answer === 'whole' ? 0 : ABANDONED_MS) }))
      return sync()
    }

  function backOff(untilMs: number): Promise<void> {
    const id = randomInt(1, MOST_IDS)
    const forMs = Math.min(LONGEST_BACK_OFF_MS, Math.max(0, Math.ceil(untilMs - clock.now())))
    log.add((_, now) => ({ id, purpose: 'back-off', sentAt: now, finishedAt: now + forMs }))
    return sync()
  }

  return {
    reserve: (purpose) => inOrder(() => reserve(purpose)),
    nextFreeAt,
    listsPerHour: () => HOUR_MS / paceMs(rules, taken(rules.hour), log.now()),
    usage: () => ({ spentThisHour: taken(rules.hour).length, ...limits }),
    spentThisSecond: () => taken(rules.second).length,
    backOff,
    sync,
  }
}

/** The first moment by the log's clock at which a request may be sent; not after `now` when it may be now. */
function freeAt(rules: BudgetRules, requests: Requests, purpose: Purpose, now: number): number {
  const inSecond = roomAt(rules.second, purpose, takenIn(rules.second, requests, now))
  return Math.max(backOffUntil(requests), inSecond, hourRoomAt(rules, purpose, takenIn(rules.hour, requests, now)))
}

/**
 * The part by which the service's clock may run slower than ours, eight times what crystals and NTP's slewing come to
 * (RFC 5905: 500 ppm), and at least this much jitter.
 */
const DRIFT = 0.0055
const LEAST_MARGIN_MS = 50
const LOOKUP_SHARE = 0.05
const IN_HAND = 2

/**
 * The limits as places. Look-ups get a twentieth of the hour, of which two are kept in hand and the rest is lent to the lists
 * until it is wanted. So a look-up finds a place at once unless there were two within 24 s; more are served every 12 s,
 * 30 an hour; lists always get every other place that comes back, 570 an hour at the least.
 */
export function budgetRules({ perSecond, perHour }: BudgetLimits): BudgetRules {
  const lookupsPerHour = perHour >= 10 ? Math.max(1, Math.round(perHour * LOOKUP_SHARE)) : 0
  const inHand = Math.min(IN_HAND, lookupsPerHour)
  const forTheOther = perSecond >= 2 ? 1 : 0
  return {
    second: {
      holdMs: heldFor(SECOND_MS),
      places: { all: perSecond, list: perSecond - forTheOther, lookup: perSecond - forTheOther },
    },
    hour: {
      holdMs: heldFor(HOUR_MS),
      places: { all: perHour, list: perHour - inHand, lookup: Math.max(1, lookupsPerHour) },
    },
    inHand,
  }
}

function heldFor(windowMs: number): number {
  return windowMs + Math.max(LEAST_MARGIN_MS, windowMs * DRIFT)
}

import 'server-only'
import { randomInt } from 'node:crypto'
import { createQueue } from '@/server/queue'
import type { BudgetStore } from './budget-store'
import { withinTime } from './deadline'
import {
  ABANDONED_MS,
  createPlaceLog,
  HOUR_MS,
  LONGEST_BACK_OFF_MS,
  NOTICED_MS,
  type PlaceLog,
  SECOND_MS,
  type StoredRequest,
} from './place-log'
import type { BudgetRules, Purpose } from './windows'

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
const MOST_IDS = 2 ** 48 - 1

/**
 * Sliding logs over both windows, shared through `store`. A request holds its place from its sending until a window
 * after its end, whenever between the two the service counted it. When the store fails nothing is sent.
 */
export function createBudget(options: BudgetOptions): Budget {
  const { limits, clock } = options
  const log = createPlaceLog(budgetRules(limits))
  const inOrder = createQueue()
  const update = updateOf(log, options)
  let lastRead = { at: -Infinity, offset: 0 }

  const offset = () => clock.now() - clock.monotonic()
  const isFresh = () =>
    clock.monotonic() - lastRead.at < REFUSAL_HOLDS_MS && Math.abs(offset() - lastRead.offset) < NOTICED_MS
  const wallTime = (moment: number) => Math.ceil(clock.now() + Math.max(0, moment - clock.monotonic()))
  const nextFreeAt = (purpose: Purpose) => wallTime(log.freeAt(purpose, clock.monotonic()))
  const refusal = (purpose: Purpose): Reservation => ({
    ok: false,
    retryAtMs: Math.max(nextFreeAt(purpose), clock.now() + 1),
  })

  const sync = () => inOrder(async () => void (await update(() => [])))

  async function reserve(purpose: Purpose): Promise<Reservation> {
    if (isFresh() && log.freeAt(purpose, clock.monotonic()) > clock.monotonic()) return refusal(purpose)
    const id = randomInt(MOST_IDS)
    const grant: { sentAt: number | null } = { sentAt: null }
    const recorded = await update((now, storeNowMs) => {
      grant.sentAt = log.freeAt(purpose, now) > now ? null : now
      return grant.sentAt === null ? [] : [{ id, purpose, sentAt: Math.ceil(storeNowMs), finishedAt: null }]
    })
    if (!recorded) return { ok: false, retryAtMs: clock.now() + STORE_RETRY_MS }
    lastRead = { at: clock.monotonic(), offset: offset() }
    if (grant.sentAt === null) return refusal(purpose)
    log.add(id, { purpose, sentAt: grant.sentAt, finishedAt: null })
    return { ok: true, finish: (answer) => finish(id, answer) }
  }

  function finish(id: number, answer: 'whole' | 'abandoned' = 'whole'): Promise<void> {
    log.finish(id, clock.monotonic() + (answer === 'whole' ? 0 : ABANDONED_MS))
    return sync()
  }

  function backOff(untilMs: number): Promise<void> {
    const sentAt = clock.monotonic()
    const waitMs = Math.min(LONGEST_BACK_OFF_MS, Math.max(0, untilMs - clock.now()))
    log.add(randomInt(MOST_IDS), { purpose: 'back-off', sentAt, finishedAt: sentAt + waitMs })
    return sync()
  }

  return {
    reserve: (purpose) => inOrder(() => reserve(purpose)),
    nextFreeAt,
    listsPerHour: () => HOUR_MS / log.paceMs(clock.monotonic()),
    usage: () => ({ spentThisHour: log.spent(clock.monotonic()), ...limits }),
    spentThisSecond: () => log.spent(clock.monotonic(), 'second'),
    backOff,
    sync,
  }
}

type Decide = (now: number, storeNowMs: number) => StoredRequest[]

/** Merges log and store, writing what `decide` adds; false when the store failed, also by taking too long. */
function updateOf(log: PlaceLog, { clock, store, logger, storeTimeoutMs = 5_000 }: BudgetOptions) {
  return async (decide: Decide): Promise<boolean> => {
    const before = clock.monotonic()
    try {
      const writing = store.update((stored) => {
        const reading = { nowMs: stored.nowMs ?? clock.now(), before, after: clock.monotonic() }
        const change = log.merge(stored, reading)
        return { ...change, write: [...change.write, ...decide(reading.after, reading.nowMs)] }
      })
      await withinTime(writing, storeTimeoutMs)
      return true
    } catch (err) {
      logger?.warn({ err }, 'the log of requests to the service cannot be kept')
      return false
    }
  }
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

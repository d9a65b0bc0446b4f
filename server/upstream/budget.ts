import 'server-only'
import { randomInt } from 'node:crypto'
import { ABANDONED_MS, LONGEST_BACK_OFF_MS, budgetRules, type BudgetLimits, type Purpose } from './budget-rules'
import type { BudgetStore, StoredRequest } from './budget-store'
import { NOTICED_MS, createPlaceLog, type PlaceLog } from './place-log'
import { settled } from './settled'

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
  usage(): { spentThisHour: number; perHour: number; perSecond: number }
  /** Sends nothing before `untilMs` (wall clock), at most for an hour: the service said 429 in spite of it all. */
  backOff(untilMs: number): Promise<void>
  /** Learns what other instances, or the process before this one, have sent. */
  sync(): Promise<void>
}

export type BudgetOptions = {
  limits: BudgetLimits
  clock: BudgetClock
  store: BudgetStore
  logger?: { warn(details: object, message: string): void }
  storeTimeoutMs?: number
}

/** A refusal holds for so long without looking into the store again, so that many who ask cost it little. */
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
  const inTurn = createTurns()
  const update = updateOf(log, options)
  let known = { at: -Infinity, offset: 0 }

  const offset = () => clock.now() - clock.monotonic()
  const isFresh = () =>
    clock.monotonic() - known.at < REFUSAL_HOLDS_MS && Math.abs(offset() - known.offset) < NOTICED_MS
  const wallTime = (moment: number) => Math.ceil(clock.now() + Math.max(0, moment - clock.monotonic()))
  const nextFreeAt = (purpose: Purpose) => wallTime(log.freeAt(purpose, clock.monotonic()))
  const refusal = (purpose: Purpose): Reservation => ({
    ok: false,
    retryAtMs: Math.max(nextFreeAt(purpose), clock.now() + 1),
  })

  const sync = () => inTurn(async () => void (await update(() => [])))

  async function reserve(purpose: Purpose): Promise<Reservation> {
    if (isFresh() && log.freeAt(purpose, clock.monotonic()) > clock.monotonic()) return refusal(purpose)
    const id = randomInt(MOST_IDS)
    const grant: { sentAt: number | null } = { sentAt: null }
    const recorded = await update((now, storeNowMs) => {
      grant.sentAt = log.freeAt(purpose, now) > now ? null : now
      return grant.sentAt === null ? [] : [{ id, purpose, sentAt: Math.ceil(storeNowMs), finishedAt: null }]
    })
    if (!recorded) return { ok: false, retryAtMs: clock.now() + STORE_RETRY_MS }
    known = { at: clock.monotonic(), offset: offset() }
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
    reserve: (purpose) => inTurn(() => reserve(purpose)),
    nextFreeAt,
    usage: () => ({ spentThisHour: log.spent(clock.monotonic()), ...limits }),
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
      await settled(writing, storeTimeoutMs)
      return true
    } catch (err) {
      logger?.warn({ err }, 'the log of requests to the service cannot be kept')
      return false
    }
  }
}

/** Runs one piece of work at a time, in the order they came. None of them may reject. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done
    return done
  }
}

import type { Budget } from '../budget'
import type { BudgetClock, BudgetStore, StoredRequest } from '../request-log'

export function createMemoryBudgetStore(now: () => number): BudgetStore {
  const requests = new Map<number, StoredRequest>()
  return {
    async update(change) {
      const { upserts, deletedIds } = change({ requests: [...requests.values()], nowMs: now() })
      for (const request of upserts) requests.set(request.id, request)
      for (const id of deletedIds) requests.delete(id)
    },
  }
}

/** `pass` lets time go by; `step` sets the wall clock only. */
export function createSimulatedTime(): BudgetClock & { pass(ms: number): void; step(ms: number): void } {
  let monotonic = 5_000
  let offset = 1_800_000_000_000
  return {
    now: () => Math.floor(monotonic + offset),
    monotonic: () => monotonic,
    pass: (ms) => void (monotonic += ms),
    step: (ms) => void (offset += ms),
  }
}

export function createUnlimitedBudget(): Pick<Budget, 'reserve' | 'backOff'> & { log: string[] } {
  const log: string[] = []
  return {
    log,
    async reserve(purpose) {
      log.push(purpose)
      return { ok: true, finish: async (outcome = 'complete') => void log.push(outcome) }
    },
    async backOff(durationMs) {
      log.push(`back off for ${durationMs} ms`)
    },
  }
}

/** The service may have counted a request at any moment of this span (true time, ms). */
export type Span = { startedAt: number; endedAt: number }

/** The service's clock may be slower than ours by this factor without harm. */
const MAX_CLOCK_RATIO = 1.005

/**
 * Counts the most requests that a service could have counted within some window of `windowMs`, both ends included, if
 * it chose the worst moment for each. It only compares spans, whatever the budget reasons.
 */
export function countWorstCase(spans: readonly Span[], windowMs: number): number {
  const countable = (end: number) =>
    spans.filter(({ startedAt, endedAt }) => startedAt <= end && endedAt >= end - windowMs * MAX_CLOCK_RATIO)
  return Math.max(0, ...spans.map(({ startedAt }) => countable(startedAt).length))
}

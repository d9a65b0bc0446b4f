import 'server-only'
import type { BudgetClock } from '@/server/upstream/budget'

/** True time that passes on command, and a wall clock that can be set wrong. */
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

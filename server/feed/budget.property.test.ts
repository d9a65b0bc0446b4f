import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS, SECOND_MS } from '@/lib/time/durations'
import { type BudgetLimits, createBudget } from './budget'
import { ABANDONED_HOLD_MS, type RequestPurpose, UNFINISHED_HOLD_MS } from './request-log'
import { createMemoryBudgetStore, createSimulatedTime, type Span, countWorstCase } from './testing/budget-doubles'

type Request = {
  kind: 'request'
  process: number
  purpose: RequestPurpose
  latencyMs: number
  answer: 'complete' | 'abandoned' | 'never'
  isPatient: boolean
}
type Step =
  | Request
  | { kind: 'pass' | 'set clock'; ms: number }
  | { kind: 'restart'; process: number; setClockBackMs: number }
type Pending = { process: number; endsAt: number; span: Span; finish: () => Promise<void> }

const PROCESSES = 2
const request: Request = {
  kind: 'request',
  process: 0,
  purpose: 'list',
  latencyMs: 0,
  answer: 'complete',
  isPatient: false,
}
/** A process that knew the first request saw the clock set; one that starts after it knows neither. */
const setUnnoticed: Step[] = [
  request,
  { kind: 'pass', ms: 0 },
  { kind: 'restart', process: 0, setClockBackMs: 0 },
  { kind: 'set clock', ms: 1_240 },
  { kind: 'restart', process: 1, setClockBackMs: 0 },
  { ...request, process: 1, isPatient: true },
]
/** When a request that nobody saw the end of may have been counted at the latest. */
const UNSEEN_MS = UNFINISHED_HOLD_MS - 10_000

test('whatever happens, the service counts no more than its limits in any second or hour, at its worst choice of moments', async () => {
  const anyLimits = fc.record({ perSecond: fc.integer({ min: 1, max: 5 }), perHour: fc.integer({ min: 1, max: 25 }) })
  const anyStory = fc.array(anyStep(), { maxLength: 150, size: 'max' })
  await fc.assert(
    fc.asyncProperty(anyLimits, anyStory, async (limits, steps) => {
      const spans = await play(limits, steps)
      expect(countWorstCase(spans, SECOND_MS)).toBeLessThanOrEqual(limits.perSecond)
      expect(countWorstCase(spans, HOUR_MS)).toBeLessThanOrEqual(limits.perHour)
    }),
    { numRuns: 400, examples: [[{ perSecond: 1, perHour: 2 }, setUnnoticed]] },
  )
})

/** Plays two processes over one store, and returns when the service may have counted what. */
async function play(limits: BudgetLimits, steps: Step[]): Promise<Span[]> {
  const time = createSimulatedTime()
  const store = createMemoryBudgetStore(time.now)
  const start = () => createBudget({ limits, clock: time, store })
  const budgets = Array.from({ length: PROCESSES }, start)
  for (const budget of budgets) await budget.sync()
  const spans: Span[] = []
  let pending: Pending[] = []
  let isClockUnnoticed = false

  async function pass(ms: number): Promise<void> {
    const until = time.monotonic() + ms
    pending.sort((a, b) => a.endsAt - b.endsAt)
    for (let next = pending[0]; next && next.endsAt <= until; next = pending[0]) {
      time.pass(Math.max(0, next.endsAt - time.monotonic()))
      pending.shift()
      await next.finish()
    }
    time.pass(until - time.monotonic())
  }

  async function send({ process, purpose, latencyMs, answer, isPatient }: Request): Promise<void> {
    const budget = budgets[process] ?? start()
    let place = await budget.reserve(purpose)
    if (!place.ok && isPatient) {
      await pass(place.retryAtMs - time.now())
      place = await budget.reserve(purpose)
    }
    if (!place.ok) return void expect(place.retryAtMs).toBeGreaterThan(time.now())
    const startedAt = time.monotonic()
    const endsAt = startedAt + latencyMs
    const countedBy = { complete: endsAt, abandoned: endsAt + ABANDONED_HOLD_MS, never: startedAt + UNSEEN_MS }
    const span = { startedAt, endedAt: countedBy[answer] }
    spans.push(span)
    if (answer !== 'never') pending.push({ process, endsAt, span, finish: () => place.finish(answer) })
  }

  /** A set clock is noticed at the next use; that it is set again, or a process dies, before that is beyond knowing. */
  async function setClock(ms: number): Promise<void> {
    if (isClockUnnoticed) for (const budget of budgets) await budget.sync()
    if (ms !== 0) time.step(ms)
    isClockUnnoticed = ms !== 0
  }

  async function restart(process: number, setClockBackMs: number): Promise<void> {
    await setClock(0)
    await setClock(-setClockBackMs)
    const budget = start()
    budgets[process] = budget
    await budget.sync()
    // It died before the answer: nobody knows when the service counted that request.
    for (const { process: owner, span } of pending) if (owner === process) span.endedAt = span.startedAt + UNSEEN_MS
    pending = pending.filter((other) => other.process !== process)
  }

  for (const step of steps) {
    if (step.kind === 'request') await send(step)
    else if (step.kind === 'restart') await restart(step.process, step.setClockBackMs)
    else await (step.kind === 'pass' ? pass(step.ms) : setClock(step.ms))
  }
  return spans
}

function anyStep(): fc.Arbitrary<Step> {
  const process = fc.nat(PROCESSES - 1)
  const anyRequest = fc.record<Request>({
    kind: fc.constant('request'),
    process,
    purpose: fc.constantFrom('list', 'lookup'),
    latencyMs: fc.oneof(fc.nat(50), fc.nat(3_000), fc.nat(UNFINISHED_HOLD_MS - ABANDONED_HOLD_MS)),
    answer: fc.constantFrom('complete', 'complete', 'complete', 'abandoned', 'never'),
    isPatient: fc.boolean(),
  })
  const pass = fc.constant('pass' as const)
  const setClock = fc.constant('set clock' as const)
  const shift = (mostMs: number) => fc.record({ kind: setClock, ms: fc.integer({ min: -mostMs, max: mostMs }) })
  const waitMs = fc.oneof(fc.nat(1_200), fc.nat(60_000), fc.nat(1.5 * HOUR_MS))
  const setClockBackMs = fc.oneof(fc.constant(0), fc.constant(0), fc.nat(2 * HOUR_MS))
  return fc.oneof(
    { weight: 12, arbitrary: anyRequest },
    { weight: 4, arbitrary: fc.record({ kind: pass, ms: waitMs }) },
    { weight: 2, arbitrary: shift(3 * HOUR_MS) },
    { weight: 1, arbitrary: shift(1_500) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('restart' as const), process, setClockBackMs }) },
  )
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Budget, type BudgetLimits, createBudget } from './budget'
import { ABANDONED_HOLD_MS, HOUR_MS, type RequestPurpose, SECOND_MS, UNFINISHED_HOLD_MS } from './request-log'
import { createMemoryBudgetStore, createSimulatedTime } from './testing/budget-doubles'

type Answer = 'complete' | 'abandoned' | 'never'
type Request = {
  kind: 'request'
  process: number
  purpose: RequestPurpose
  latencyMs: number
  answer: Answer
  patient: boolean
}
type Step =
  | Request
  | { kind: 'pass'; ms: number }
  | { kind: 'step'; ms: number }
  | { kind: 'back in time while down'; process: number; ms: number }
  | { kind: 'restart'; process: number }
/** The service may have counted a request at any moment of this span. True time, ms. */
type Span = { startedAt: number; endedAt: number }
type Pending = { process: number; endsAt: number; span: Span; finish: () => Promise<void> }

const PROCESSES = 2
/** A process that knew the first request saw the step; one that starts after it knows neither. */
const answered = { latencyMs: 0, answer: 'complete' } as const
const aRequest: Request = { kind: 'request', process: 0, purpose: 'list', patient: false, ...answered }
const steppedUnnoticed: Step[] = [
  aRequest,
  { kind: 'pass', ms: 0 },
  { kind: 'restart', process: 0 },
  { kind: 'step', ms: 1_240 },
  { kind: 'restart', process: 1 },
  { ...aRequest, process: 1, patient: true },
]
/** When a request that nobody saw the end of may have been counted at the latest. */
const UNSEEN_MS = UNFINISHED_HOLD_MS - 10_000
/** The service's clock may run so much slower than ours without harm. */
const SLOWER = 1.005

test('whatever happens, the service counts no more than its limits in any second or hour, at its worst choice of moments', async () => {
  const story = fc.array(stepArbitrary(), { maxLength: 150, size: 'max' })
  await fc.assert(
    fc.asyncProperty(limitsArbitrary(), story, async (limits, steps) => {
      const spans = await play(limits, steps)
      expect(worstCount(spans, SECOND_MS * SLOWER)).toBeLessThanOrEqual(limits.perSecond)
      expect(worstCount(spans, HOUR_MS * SLOWER)).toBeLessThanOrEqual(limits.perHour)
    }),
    { numRuns: 400, examples: [[{ perSecond: 1, perHour: 2 }, steppedUnnoticed]] },
  )
})

/**
 * The most requests that a service could have counted within some window of `windowMs`, both ends included, if it
 * chose the worst moment for each. Independent of how the budget reasons: it only compares spans.
 */
function worstCount(spans: readonly Span[], windowMs: number): number {
  const countable = (end: number) =>
    spans.filter(({ startedAt, endedAt }) => startedAt <= end && endedAt >= end - windowMs)
  return Math.max(0, ...spans.map(({ startedAt }) => countable(startedAt).length))
}

/** Two processes over one store; answers what the service may have counted when. */
async function play(limits: BudgetLimits, steps: Step[]): Promise<Span[]> {
  const time = createSimulatedTime()
  const store = createMemoryBudgetStore()
  const start = () => createBudget({ limits, clock: time, store })
  const budgets = Array.from({ length: PROCESSES }, start)
  for (const budget of budgets) await budget.sync()
  const spans: Span[] = []
  let pending: Pending[] = []
  let unnoticed = false

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

  async function send(budget: Budget, wanted: Request): Promise<void> {
    if (wanted.patient) await pass(Math.max(0, budget.estimateFreeAt(wanted.purpose) - time.now()))
    const place = await budget.reserve(wanted.purpose)
    if (!place.ok) return void expect(place.retryAtMs).toBeGreaterThan(time.now())
    const { answer, process, latencyMs } = wanted
    const from = time.monotonic()
    const lateMs = { complete: 0, abandoned: ABANDONED_HOLD_MS, never: UNSEEN_MS - latencyMs }[answer]
    const span = { startedAt: from, endedAt: from + latencyMs + lateMs }
    spans.push(span)
    if (answer !== 'never')
      pending.push({ process, endsAt: from + latencyMs, span, finish: () => place.finish(answer) })
  }

  /** A step is noticed at the next use; a second one, or a death, before it is noticed is beyond knowing. */
  async function notice(): Promise<void> {
    if (unnoticed) for (const budget of budgets) await budget.sync()
    unnoticed = false
  }

  async function stepBy(ms: number): Promise<void> {
    await notice()
    time.step(ms)
    unnoticed = true
  }

  async function restart(process: number, stepBackMs: number): Promise<void> {
    await notice()
    if (stepBackMs > 0) await stepBy(-stepBackMs)
    const budget = start()
    budgets[process] = budget
    await budget.sync()
    // It died before the answer: nobody knows when the service counted that request.
    for (const { process: owner, span } of pending) if (owner === process) span.endedAt = span.startedAt + UNSEEN_MS
    pending = pending.filter((request) => request.process !== process)
  }

  for (const step of steps) {
    if (step.kind === 'pass') await pass(step.ms)
    else if (step.kind === 'step') await stepBy(step.ms)
    else if (step.kind === 'request') await send(budgets[step.process] ?? start(), step)
    else await restart(step.process, step.kind === 'restart' ? 0 : step.ms)
  }
  return spans
}

function limitsArbitrary(): fc.Arbitrary<BudgetLimits> {
  return fc.record({ perSecond: fc.integer({ min: 1, max: 5 }), perHour: fc.integer({ min: 1, max: 25 }) })
}

function stepArbitrary(): fc.Arbitrary<Step> {
  const process = fc.nat(PROCESSES - 1)
  const ms = fc.oneof(fc.nat(1_200), fc.nat(60_000), fc.nat(1.5 * HOUR_MS))
  const anyRequest = {
    process,
    purpose: fc.constantFrom<RequestPurpose>('list', 'lookup'),
    latencyMs: fc.oneof(fc.nat(50), fc.nat(3_000), fc.nat(UNFINISHED_HOLD_MS - ABANDONED_HOLD_MS)),
    answer: fc.constantFrom<Answer>('complete', 'complete', 'complete', 'abandoned', 'never'),
    patient: fc.boolean(),
  }
  const around = (most: number) => ({ ms: fc.integer({ min: -most, max: most }) })
  const step = (weight: number, kind: Step['kind'], fields: Record<string, fc.Arbitrary<unknown>>) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<Step>,
  })
  return fc.oneof(
    step(12, 'request', anyRequest),
    step(4, 'pass', { ms }),
    step(2, 'step', around(3 * HOUR_MS)),
    step(1, 'step', around(1_500)),
    step(1, 'back in time while down', { process, ms: fc.nat(2 * HOUR_MS) }),
    step(2, 'restart', { process }),
  )
}

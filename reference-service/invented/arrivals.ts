import type { AskedQuestion, Clock, DeclarationOfInterest } from '../specification'
import type { Store } from '../store'
import { createInventor } from './leads'
import { Random } from './random'

const INITIAL_MEAN_MS = 6_000
const SLOWDOWN_AFTER_MS = 5 * 60_000
const MAX_MEAN_MS = 20 * 60_000

/** Adds invented leads to the store, three declarations to a question, each after 0.5 to 1.5 times the mean time. */
export function createArrivals(options: {
  store: Store
  seed: number
  clock?: Clock
  meanMs?: number | ((now: number) => number)
  beforeArrival?: (lead: AskedQuestion | DeclarationOfInterest) => void
}) {
  const { store, seed, clock = Date.now, meanMs = INITIAL_MEAN_MS, beforeArrival } = options
  const random = new Random(seed)
  const inventor = createInventor(random.fork(), store.current())
  let timer: NodeJS.Timeout | undefined

  function arrive() {
    const now = clock()
    const school = inventor.pickSchool(random)
    if (random.chance(0.75)) {
      const declaration = inventor.inventDeclaration(random, inventor.inventPupil(random, now), school, now)
      beforeArrival?.(declaration)
      store.addDeclaration(declaration)
    } else {
      const question = inventor.inventQuestion(random, inventor.inventPupilOrParent(random, now), school, now)
      beforeArrival?.(question)
      store.addAskedQuestion(question)
    }
    schedule()
  }

  function schedule() {
    const mean = typeof meanMs === 'number' ? meanMs : meanMs(clock())
    timer = setTimeout(arrive, mean * (0.5 + random.unit())).unref()
  }

  return {
    start() {
      if (timer === undefined) schedule()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Leads arrive every few seconds for the first five minutes, then ever fewer, down to three an hour. */
export function createMeanInterval(startedAt: number): (now: number) => number {
  return (now) => Math.min(MAX_MEAN_MS, INITIAL_MEAN_MS * Math.max(1, (now - startedAt) / SLOWDOWN_AFTER_MS) ** 2)
}

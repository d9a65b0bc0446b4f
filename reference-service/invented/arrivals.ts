import type { AskedQuestion, Clock, DeclarationOfInterest } from '../specification'
import type { Store } from '../store'
import { createInventor } from './leads'
import { Random } from './random'

const firstMeanMs = 6_000

/** Adds invented leads to the store, three declarations to a question, at 0.5 to 1.5 times the mean interval. */
export function createArrivals(options: {
  store: Store
  seed: number
  clock?: Clock
  /** The mean time between two leads. */
  meanMs?: number | ((now: number) => number)
  beforeArrival?: (lead: AskedQuestion | DeclarationOfInterest) => void
}) {
  const { store, seed, clock = Date.now, meanMs = firstMeanMs, beforeArrival } = options
  const random = new Random(seed)
  const inventor = createInventor(random.fork(), store.current())
  let waiting: NodeJS.Timeout | undefined

  function arrive(): void {
    const [now, school] = [clock(), inventor.pickSchool(random)]
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

  function schedule(): void {
    const mean = typeof meanMs === 'number' ? meanMs : meanMs(clock())
    waiting = setTimeout(arrive, mean * (0.5 + random.unit())).unref()
  }

  return {
    start: (): void => void (waiting ?? schedule()),
    stop(): void {
      clearTimeout(waiting)
      waiting = undefined
    },
  }
}

/** Leads arrive every few seconds for the first five minutes, then ever fewer, down to three an hour. */
export function createSlowdown(startedAt: number): (now: number) => number {
  return (now) => Math.min(20 * 60_000, firstMeanMs * Math.max(1, (now - startedAt) / (5 * 60_000)) ** 2)
}

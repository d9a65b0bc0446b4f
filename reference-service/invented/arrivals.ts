import type { AskedQuestion, Clock, DeclarationOfInterest } from '../specification'
import type { Store } from '../store'
import { createInventor } from './leads'
import { Random } from './random'

type ArrivalsOptions = {
  store: Store
  seed: number
  clock?: Clock
  /** Of the gaps. */
  meanMs?: number | ((now: number) => number)
  onArrival?: (lead: AskedQuestion | DeclarationOfInterest) => void
}

const firstMeanMs = 6_000

/** Three declarations to a question, half to one and a half of the mean time apart. */
export function createArrivals({ store, seed, clock = Date.now, meanMs = firstMeanMs, onArrival }: ArrivalsOptions) {
  const random = new Random(seed)
  const inventor = createInventor(random.fork(), store.current())
  let waiting: NodeJS.Timeout | undefined

  function arrive(): void {
    const [at, school] = [clock(), inventor.school(random)]
    if (random.chance(0.75)) {
      const declaration = inventor.declaration(random, inventor.pupil(random, at), school, at)
      onArrival?.(declaration)
      store.addDeclaration(declaration)
    } else {
      const question = inventor.question(random, inventor.pupilOrParent(random, at), school, at)
      onArrival?.(question)
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

const livelyMs = 5 * 60_000
const maxMeanMs = 20 * 60_000

/** Every few seconds for the first minutes, then ever fewer, down to three an hour. */
export function slowingDown(start: number): (now: number) => number {
  return (now) => Math.min(maxMeanMs, firstMeanMs * Math.max(1, (now - start) / livelyMs) ** 2)
}

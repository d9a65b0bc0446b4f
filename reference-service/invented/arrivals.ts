import type { AskedQuestion, Clock, DeclarationOfInterest } from '../specification'
import type { Store } from '../store'
import { createInventor } from './leads'
import { Random } from './random'

type ArrivalsOptions = {
  store: Store
  seed: number
  clock?: Clock
  meanMs?: number
  /** Called before the store has the lead. */
  onArrival?: (lead: AskedQuestion | DeclarationOfInterest) => void
}

/** Three declarations to a question, half to one and a half of the mean time apart. */
export function createArrivals({ store, seed, clock = Date.now, meanMs = 6000, onArrival }: ArrivalsOptions) {
  const random = new Random(seed)
  const inventor = createInventor(random.fork(), store.current().highSchools)
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
    waiting = setTimeout(arrive, meanMs * (0.5 + random.unit())).unref()
  }

  return {
    start: (): void => void (waiting ?? schedule()),
    stop(): void {
      clearTimeout(waiting)
      waiting = undefined
    },
  }
}

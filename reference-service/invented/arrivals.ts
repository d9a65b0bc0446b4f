import type { Clock } from '../specification'
import type { Store } from '../store'
import { createInventor } from './leads'
import { Random } from './random'

/** Lets new leads come in while it runs, three declarations to a question; the store's order stays right. */
export function createArrivals(options: ArrivalsOptions): { start(): void; stop(): void } {
  const { store, seed, clock = Date.now, timers = unrefTimers, meanMs = 6000 } = options
  const random = new Random(seed)
  const inventor = createInventor(random.fork(), store.current().highSchools)
  let waiting: { cancel(): void } | undefined

  function arrive(): void {
    const [at, school] = [clock(), inventor.school(random)]
    if (random.chance(0.75)) store.addDeclaration(inventor.declaration(random, inventor.pupil(random, at), school, at))
    else store.addAskedQuestion(inventor.question(random, inventor.pupilOrParent(random, at), school, at))
    schedule()
  }

  function schedule(): void {
    waiting = timers.set(arrive, meanMs * (spread.from + (spread.to - spread.from) * random.unit()))
  }

  return {
    start() {
      if (!waiting) schedule()
    },
    stop() {
      waiting?.cancel()
      waiting = undefined
    },
  }
}

type Timers = { set(callback: () => void, ms: number): { cancel(): void } }

type ArrivalsOptions = {
  store: Store
  seed: number
  clock?: Clock
  timers?: Timers
  /** The mean time between two leads. */
  meanMs?: number
}

/** How much of the mean the time between two leads may be: from half to one and a half. */
const spread = { from: 0.5, to: 1.5 }

/** Invented leads are no reason for a process to stay alive. */
const unrefTimers: Timers = {
  set(callback, ms) {
    const timer = setTimeout(callback, ms).unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

import type { AskedQuestion, Clock, DeclarationOfInterest } from '../specification'
import type { Store } from '../store'
import { expectedLeadsPerHour } from './arrival-times'
import { createInventor } from './leads'
import { Random } from './random'

type ArrivalsOptions = {
  store: Store
  seed: number
  clock?: Clock
  /** Of the gaps; one that changes is asked for again every few minutes. */
  meanMs?: number | ((now: number) => number)
  onArrival?: (lead: AskedQuestion | DeclarationOfInterest) => void
}

const firstMeanMs = 6_000

/** Three declarations to a question, half to one and a half of the mean time apart. */
export function createArrivals({ store, seed, clock = Date.now, meanMs = firstMeanMs, onArrival }: ArrivalsOptions) {
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
    schedule(0.5 + random.unit())
  }

  /** `left` of the mean gap. */
  function schedule(left: number): void {
    const mean = typeof meanMs === 'number' ? meanMs : meanMs(clock())
    const part = Math.min(left, maxWaitMs / mean)
    waiting = setTimeout(() => (part < left ? schedule(left - part) : arrive()), mean * part).unref()
  }

  return {
    start: (): void => void (waiting ?? schedule(0.5 + random.unit())),
    stop(): void {
      clearTimeout(waiting)
      waiting = undefined
    },
  }
}

const maxWaitMs = 5 * 60_000
const livelyMs = 5 * 60_000

/** Every few seconds for the first minutes, then ever fewer, until they come as they do in the season. */
export function slowingDown(leads: number, start: number): (now: number) => number {
  return (now) => {
    const since = Math.max(0, now - start)
    const lively = since < livelyMs ? 1 : Math.exp(1 - since / livelyMs)
    return 3_600_000 / ((lively * 3_600_000) / firstMeanMs + expectedLeadsPerHour(leads, now))
  }
}

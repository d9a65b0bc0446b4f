import 'server-only'
import { oncePerProcess } from './once-per-process'

/** Figures and fixed words, never text of a person. */
type Attributes = Record<string, string | number>
type Tracer = <T>(name: string, attributes: Attributes, work: () => Promise<T>) => Promise<T>

const tracerSlot = oncePerProcess('tracer', () => ({ tracer: null as Tracer | null }))

/** A span of its own where traces are wanted; else it costs one lookup. */
export function withSpan<T>(name: string, attributes: () => Attributes, work: () => Promise<T>): Promise<T> {
  const { tracer } = tracerSlot()
  return tracer === null ? work() : tracer(name, attributes(), work)
}

export function traceWith(tracer: Tracer | null): void {
  tracerSlot().tracer = tracer
}

import 'server-only'

/** Figures and fixed words, never what somebody wrote or asked for. */
type Told = Record<string, string | number>
export type Tracer = <T>(name: string, told: Told, work: () => Promise<T>) => Promise<T>

/** A span of its own where traces are wanted; else it costs one lookup. */
export function traced<T>(name: string, told: () => Told, work: () => Promise<T>): Promise<T> {
  const tracer: unknown = Reflect.get(globalThis, KEY)
  return typeof tracer === 'function' ? (tracer as Tracer)(name, told(), work) : work()
}

export function traceWith(tracer: Tracer | null): void {
  Reflect.set(globalThis, KEY, tracer)
}

const KEY = Symbol.for('intag.tracer')

import 'server-only'

/** What of a piece of work is told: figures and fixed words, never what somebody wrote or asked for. */
type Told = Record<string, string | number>
export type Tracer = <T>(name: string, told: Told, work: () => Promise<T>) => Promise<T>

/** Does the work as a span of its own, where traces are wanted; elsewhere it costs one look. */
export function traced<T>(name: string, told: () => Told, work: () => Promise<T>): Promise<T> {
  const tracer: unknown = Reflect.get(globalThis, KEY)
  return isTracer(tracer) ? tracer(name, told(), work) : work()
}

/** From now on spans are made. */
export function traceWith(tracer: Tracer | null): void {
  Reflect.set(globalThis, KEY, tracer)
}

const KEY = Symbol.for('intag.tracer')

function isTracer(value: unknown): value is Tracer {
  return typeof value === 'function'
}

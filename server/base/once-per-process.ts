import 'server-only'

/**
 * Next loads pages, routes, proxy and instrumentation as separate module instances, so values that they share are kept on
 * `globalThis`. The value is made on first use.
 */
export function oncePerProcess<Value>(name: string, make: () => Value): () => Value {
  const shared = globalThis as unknown as Record<symbol, Value | undefined>
  const key = Symbol.for(`intag.${name}`)
  return () => (shared[key] ??= make())
}

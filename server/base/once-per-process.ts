import 'server-only'

/** Next loads pages, routes, the proxy and the start as separate modules, so what they share lies in `globalThis`. Made when first asked for. */
export function oncePerProcess<Value>(name: string, make: () => Value): () => Value {
  const shared = globalThis as unknown as Record<symbol, Value | undefined>
  const key = Symbol.for(`intag.${name}`)
  return () => (shared[key] ??= make())
}

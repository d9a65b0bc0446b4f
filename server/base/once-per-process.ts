/** Makes the value on first use and keeps it on `globalThis`, because Next loads a module several times. */
export function oncePerProcess<Value>(name: string, make: () => Value): () => Value {
  const shared = globalThis as unknown as Record<symbol, Value | undefined>
  const key = Symbol.for(`intag.${name}`)
  return () => (shared[key] ??= make())
}

type Cache<K, V> = { get: (key: K) => V | undefined; set: (key: K, value: V) => unknown }

export function getOrCreate<K, V>(map: Cache<K, V>, key: K, create: () => V): V {
  const value = map.get(key)
  if (value !== undefined) return value
  const created = create()
  map.set(key, created)
  return created
}

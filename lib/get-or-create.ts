export function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key)
  if (value !== undefined) return value
  const created = create()
  map.set(key, created)
  return created
}

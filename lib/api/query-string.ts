type Value = string | number | boolean
export type Params = Readonly<Record<string, Value | readonly Value[] | undefined>>

/** `?a=1&b=x&b=y` in a stable order, or nothing; lists repeat their name, as our routes read them. */
export function queryString(params: Params): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const item of value) search.append(name, String(item))
    else search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

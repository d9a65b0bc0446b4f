import 'server-only'

/** A long list in parts of `size`: PostgreSQL takes at most 65 535 parameters in a statement. */
export function* inParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

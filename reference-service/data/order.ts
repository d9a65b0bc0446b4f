import type { HighSchool } from '../model'

const swedish = new Intl.Collator('sv')

/** Newest first; equal moments by id. Times are ISO 8601 with milliseconds and Z, so they sort as text. */
export function byNewest(a: { createdAt: string; id: string }, b: { createdAt: string; id: string }): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Swedish alphabetical order: å, ä and ö come last. */
export function byName(a: HighSchool, b: HighSchool): number {
  return swedish.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)
}

/** Groups smaller than this are not told to who may only count. */
export const LEAST_GROUP = 5 as const

/** Of fewer leads nothing is told of how they were answered: of so few, one time or share gives away a single answer. */
export const LEAST_ANSWERED = 8

/** A number that stands for 1 to 4; of what is told nothing else is 4 or less, but none. */
export const FEW = LEAST_GROUP - 1

/** What a group of one to four counts for in a sum; no sum of several such becomes `FEW`. */
export const FEW_IN_SUM = 2.5

/** A number as it may be told. */
export function withheldCount(count: number): number {
  return count > 0 && count < LEAST_GROUP ? FEW : count
}

/** A sum in which `groups` more are of one to four. */
export function sumWithFew(sum: number, groups: number): number {
  return withheldCount(sum + Math.round(groups * FEW_IN_SUM))
}

import type { Count } from '@/lib/contract/interest'
import { sizeOf } from './axis'
import type { Spelling } from './seasons'

/**
 * `by` is a share, 0.18 for 18 % more; null of too few. Up and down are beyond what chance explains; null is neither, where the
 * forecast says another end than last year's.
 */
export type Change = { by: number | null; is: 'up' | 'down' | 'level' | null }

/** Of fifty tables of equal years, one has a sign. */
const FALSE_SIGNS = 0.02

/** `noise`: the variance of a count by its mean. `moved`: what a rush some days earlier or later explains. */
type Spread = { noise: number; moved: number }

/** `rows`: in how many rows of a table a change may be one by chance. */
export function changeOf(
  now: Count,
  before: Count,
  spread: Spread,
  { leastOfShare }: Pick<Spelling, 'leastOfShare'>,
  rows = 1,
): Change {
  const [a, b] = [sizeOf(now), sizeOf(before)]
  const by = b === 0 || Math.min(a, b) < leastOfShare ? null : Math.round((a / b - 1) * 100) / 100
  if (by === 0 || !isBeyondChance(a, b, spread, rows)) return { by, is: 'level' }
  return { by, is: a > b ? 'up' : 'down' }
}

export function isBeyondChance(a: number, b: number, { noise, moved }: Spread, rows: number): boolean {
  return Math.abs(a - b) - moved > normalAbove(FALSE_SIGNS / 2 / rows) * Math.sqrt(noise * (a + b))
}

/** Above it lies such a share of a standard normal distribution (Abramowitz and Stegun, 26.2.23). */
export function normalAbove(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share))
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
}

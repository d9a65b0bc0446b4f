import type { Count } from '@/lib/contract/interest'

export function sizeOf(count: Count): number {
  return count === '<5' ? 2.5 : count
}

/** Round numbers from 0 up to `max` or more, in at most `lines` steps of at least `minStep`. */
export function ticksTo(max: number, lines = 4, minStep = 1): number[] {
  const rough = Math.max(1, max) / lines
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(
    minStep,
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough,
  )
  const whole = Number.isInteger(step) ? step : Math.ceil(step)
  const count = Math.max(1, Math.ceil(max / whole))
  return Array.from({ length: count + 1 }, (_, index) => index * whole)
}

/** Moves labels of this height apart, in their order, all above `bottom`. */
export function spreadLabels(places: readonly number[], height: number, bottom: number): number[] {
  const order = places.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y || a.index - b.index)
  const spread = [...places]
  let above = -Infinity
  for (const { y, index } of order) {
    above = Math.max(y, above + height)
    spread[index] = above
  }
  let below = bottom
  for (const { index } of order.toReversed()) {
    below = Math.min(spread[index] ?? below, below)
    spread[index] = below
    below -= height
  }
  return spread
}

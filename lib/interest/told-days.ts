import { LEAST_GROUP } from './small-groups'

/** No more than four weeks: what came in summer is not told as of spring. */
const MOST_SPREAD_DAYS = 28

/** At least five days, ascending; as they are told: in blocks, each spread evenly from the block before to its own end. */
export function toldDays(days: Int32Array): Int32Array {
  const told = new Int32Array(days.length)
  let place = 0
  let before = -Infinity
  for (const { size, end } of blocksOf(days)) {
    const first = Math.max(before + 1, end - MOST_SPREAD_DAYS + 1)
    for (let at = 0; at < size; at++) told[place++] = first + Math.floor(((at + 0.5) * (end - first + 1)) / size)
    before = end
  }
  return told
}

/** A block ends with the day on which there are five of it; a rest of fewer belongs to the last one. */
export function blocksOf(days: ArrayLike<number>): { size: number; end: number }[] {
  const blocks: { size: number; end: number }[] = []
  let size = 0
  for (let at = 0; at < days.length; at++) {
    const day = days[at] ?? 0
    size += 1
    const isLast = at === days.length - 1
    if (days[at + 1] === day || (size < LEAST_GROUP && !isLast)) continue
    if (size < LEAST_GROUP) size += blocks.pop()?.size ?? 0
    blocks.push({ size, end: day })
    size = 0
  }
  return blocks
}

/** Chooses the round numbers of an axis, from 0 to `max` or more, in at most five steps of at least `minStep`. */
export function chooseTicks(max: number, minStep = 1): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, max) / 5))
  const sizes = [1, 2, 5, 10].map((factor) => factor * power)
  const step = sizes.find((size) => size >= minStep && size * 5 >= max) ?? minStep
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

const LABEL_HEIGHT_PX = 14

/** Moves labels down until none covers another. */
export function spreadLabels<Label extends { y: number }>(labels: readonly Label[]): Label[] {
  let nextFreeY = -Infinity
  return labels
    .toSorted((a, b) => a.y - b.y)
    .map((label) => {
      nextFreeY = Math.max(label.y, nextFreeY + LABEL_HEIGHT_PX)
      return { ...label, y: nextFreeY }
    })
}

import { expect, test } from 'vitest'
import { type Placement, placeBeside } from './popover'

const screen = { width: 400, height: 800 }
const menu = { width: 200, height: 300 }
const high = { width: 200, height: 500 }
const tall = { width: 200, height: 2000 }
const anchorAt = (left: number, top: number) => ({ left, top, right: left + 80, bottom: top + 32, width: 80 })

test.each<[string, ReturnType<typeof anchorAt>, typeof menu, Placement['side'], Placement['align'], object]>([
  ['hangs below its anchor', anchorAt(20, 100), menu, 'bottom', 'start', { left: 20, top: 138 }],
  ['ends where it ends', anchorAt(300, 100), menu, 'bottom', 'end', { left: 180, top: 138 }],
  ['turns over where there is more room above', anchorAt(20, 700), menu, 'bottom', 'start', { top: 700 - 6 - 300 }],
  ['turns over where there is more room below', anchorAt(20, 60), menu, 'top', 'start', { top: 98 }],
  ['never leaves the screen on the right', anchorAt(310, 100), menu, 'bottom', 'start', { left: 192 }],
  ['never leaves the screen on the left', anchorAt(0, 100), menu, 'bottom', 'end', { left: 8 }],
  ['lies over its anchor where it is too high', anchorAt(20, 400), high, 'top', 'start', { top: 8, maxHeight: 784 }],
  ['is cut to the screen', anchorAt(20, 400), tall, 'top', 'start', { left: 20, top: 8, maxHeight: 784 }],
])('a floating box %s', (_what, anchor, box, side, align, place) => {
  expect(placeBeside(anchor, box, screen, { side, align })).toMatchObject(place)
})

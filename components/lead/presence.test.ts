import { expect, test } from 'vitest'
import { createAwayDetector } from './presence'

test('a page counts as left three minutes after it went out of sight, and not before or after', () => {
  const MINUTE = 60_000
  let now = 0
  let look = () => {}
  const page = { hidden: false, addEventListener: (_type: string, listener: () => void) => void (look = listener) }
  const detector = createAwayDetector({ now: () => now, page })
  const turn = (hidden: boolean) => {
    page.hidden = hidden
    look()
  }
  now = 60 * MINUTE
  expect(detector.isAway()).toBe(false)
  turn(true)
  now += 3 * MINUTE - 1
  expect(detector.isAway()).toBe(false)
  now += 1
  expect(detector.isAway()).toBe(true)
  turn(false)
  expect(detector.isAway()).toBe(false)
  turn(true)
  expect(detector.isAway(), 'the clock starts over').toBe(false)
})

import { expect, test } from 'vitest'
import { createNoticeThrottle } from '@/components/shell/new-lead-notices'

const SECOND = 1_000
const totals = (declarations: number, questions = 10) => ({ declarations, questions })

test('nothing is announced while the tab is seen', () => {
  const throttle = createNoticeThrottle()
  expect(throttle(totals(5), false, 0)).toBeNull()
  expect(throttle(totals(9), false, SECOND)).toBeNull()
})

test('what came since the tab was hidden is announced, in numbers', () => {
  const throttle = createNoticeThrottle()
  throttle(totals(5), false, 0)
  expect(throttle(totals(5), true, SECOND)).toBeNull()
  expect(throttle(totals(8, 11), true, 2 * SECOND)).toEqual({ declarations: 3, questions: 1 })
  expect(throttle(totals(8, 11), true, 90 * SECOND)).toBeNull()
})

test('once a minute at most, and nothing is forgotten meanwhile', () => {
  const throttle = createNoticeThrottle()
  throttle(totals(5), false, 0)
  throttle(totals(6), true, SECOND)
  expect(throttle(totals(7), true, 20 * SECOND)).toBeNull()
  expect(throttle(totals(9), true, 62 * SECOND)).toEqual({ declarations: 3, questions: 0 })
})

test('what was seen is not announced afterwards, and an erased lead is no news', () => {
  const throttle = createNoticeThrottle()
  throttle(totals(5), false, 0)
  throttle(totals(8), false, SECOND)
  expect(throttle(totals(7), true, 2 * SECOND)).toBeNull()
})

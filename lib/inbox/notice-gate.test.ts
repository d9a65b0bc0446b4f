import { expect, test } from 'vitest'
import { createNoticeGate } from './notice-gate'

const SECOND = 1_000
const totals = (declarations: number, questions = 10) => ({ declarations, questions })

test('nothing is told while somebody looks', () => {
  const gate = createNoticeGate()
  expect(gate(totals(5), false, 0)).toBeNull()
  expect(gate(totals(9), false, SECOND)).toBeNull()
})

test('what came since the tab was hidden is told, in numbers', () => {
  const gate = createNoticeGate()
  gate(totals(5), false, 0)
  expect(gate(totals(5), true, SECOND)).toBeNull()
  expect(gate(totals(8, 11), true, 2 * SECOND)).toEqual({ declarations: 3, questions: 1 })
  expect(gate(totals(8, 11), true, 90 * SECOND)).toBeNull()
})

test('once a minute at most, and nothing is forgotten meanwhile', () => {
  const gate = createNoticeGate()
  gate(totals(5), false, 0)
  gate(totals(6), true, SECOND)
  expect(gate(totals(7), true, 20 * SECOND)).toBeNull()
  expect(gate(totals(9), true, 62 * SECOND)).toEqual({ declarations: 3, questions: 0 })
})

test('what was seen is not told afterwards, and an erased lead is no news', () => {
  const gate = createNoticeGate()
  gate(totals(5), false, 0)
  gate(totals(8), false, SECOND)
  expect(gate(totals(7), true, 2 * SECOND)).toBeNull()
})

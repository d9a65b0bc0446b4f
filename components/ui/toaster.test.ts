import { expect, test } from 'vitest'
import { selectCovered } from './toast'
import { computeLift } from './toaster'

const undo = { label: 'Ångra', onClick: () => {} }
const plain = { text: 'Kopierat', tone: 'plain' } as const
const error = (topic: string) => ({ text: 'hann före', tone: 'error', topic }) as const
const decided = (topic: string) => ({ text: topic, tone: 'plain', action: undo, topic, group: 'triage' }) as const
const many = { text: '60 ärenden', tone: 'plain', action: undo, topic: 'many' } as const

test.each([
  ['the next decision takes its place', decided('a'), decided('b'), true],
  ['so does its own outcome', decided('a'), { text: 'Ångrat', tone: 'plain', topic: 'a' }, true],
  ['also one that went wrong', decided('a'), error('a'), true],
  ['nothing else takes away a way back', decided('a'), plain, false],
  ['nor an error of another', decided('a'), error('b'), false],
  ['nor one decision that of many', many, decided('b'), false],
  ['what went wrong stays to be read', { ...error('a'), group: 'triage' }, decided('b'), false],
  ['what only says that it is done goes', plain, decided('b'), true],
] as const)('%s', (_title, shown, next, isGone) => {
  expect(selectCovered([shown], next)).toEqual(isGone ? [] : [shown])
})

test('two come back, the newest of them', () => {
  expect(selectCovered([error('a'), many, error('b')], plain)).toEqual([many, error('b')])
})

test('a notice goes above what one reads or writes, if there is room', () => {
  const box = { top: 650, bottom: 700, left: 400, right: 800 }
  const row = { top: 660, bottom: 718, left: 250, right: 660 }
  const field = { top: 560, bottom: 655, left: 640, right: 1200 }
  expect(computeLift(box, [])).toBe(0)
  expect(computeLift(box, [{ ...row, left: 0, right: 390 }])).toBe(0)
  expect(computeLift(box, [row])).toBe(48)
  expect(computeLift(box, [row, field])).toBe(148)
  expect(computeLift(box, [{ ...field, top: 10, bottom: 720 }])).toBe(0)
})

import { expect, test } from 'vitest'
import { selectCovered } from './toast'

const undo = { label: 'Ångra', onClick: () => {} }
const plain = { text: 'Kopierat', tone: 'plain' } as const
const error = (topic: string) => ({ text: 'hann före', tone: 'error', topic }) as const
const decided = { text: 'hanterad', tone: 'plain', action: undo, topic: 'triage' } as const
const many = { text: '60 ärenden', tone: 'plain', action: undo, topic: 'triage 60' } as const

test.each([
  ['the next decision takes its place, or its own outcome', decided, { ...decided, action: undefined }, true],
  ['also one that went wrong', decided, error('triage'), true],
  ['nothing else takes away a way back', decided, plain, false],
  ['nor one decision that of many', many, decided, false],
  ['what went wrong stays to be read', error('triage'), decided, false],
  ['but not twice', error('triage'), error('other'), true],
  ['what only says that it is done goes', plain, decided, true],
] as const)('%s', (_title, shown, next, isGone) => {
  expect(selectCovered([shown], next)).toEqual(isGone ? [] : [shown])
})

test('the newest two ways back and ten errors come back, the errors first', () => {
  const errors = Array.from({ length: 11 }, (_, index) => ({ ...error('note'), text: `fel ${index}` }))
  expect(selectCovered([many, ...errors, decided, many], plain)).toEqual([decided, many, ...errors.slice(1)])
})

import { expect, test } from 'vitest'
import { selectCovered } from './toast'

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

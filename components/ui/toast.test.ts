import { expect, test } from 'vitest'
import { isReplaced, roomFor } from './toast'

const undo = { label: 'Ångra', onClick: () => {} }
const plain = { text: 'Kopierat', tone: 'plain' } as const
const error = (topic: string) => ({ text: 'hann före', tone: 'error', topic }) as const
const decided = (topic: string) => ({ text: topic, tone: 'plain', action: undo, topic, replaces: 'triage' }) as const
const many = { text: '60 ärenden', tone: 'plain', action: undo, topic: 'many' } as const

test.each([
  ['the next decision takes its place', decided('a'), decided('b'), true],
  ['so does its own outcome', decided('a'), { text: 'Ångrat', tone: 'plain', topic: 'a' }, true],
  ['also one that went wrong', decided('a'), error('a'), true],
  ['nothing else takes away a way back', decided('a'), plain, false],
  ['nor an error of another', decided('a'), error('b'), false],
  ['nor one decision that of many', many, decided('b'), false],
  ['what went wrong stays to be read', { ...error('a'), replaces: 'triage' }, decided('b'), false],
] as const)('%s', (_what, shown, by, isGone) => {
  expect(isReplaced(shown, by)).toBe(isGone)
})

test('room is made by what has no way back, the oldest first', () => {
  const [a, b] = [decided('a'), decided('b')]
  expect(roomFor([a, plain, b])).toEqual([a, b])
  expect(roomFor([a, b, decided('c')])).toEqual([b, decided('c')])
  expect(roomFor([a, plain])).toEqual([a, plain])
})

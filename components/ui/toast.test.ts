import { expect, test } from 'vitest'
import { isReplaced, roomFor } from './toast'

const undo = { label: 'Ångra', onClick: () => {} }
const plain = { text: 'Kopierat', tone: 'plain' } as const
const decided = (topic: string) => ({ text: topic, tone: 'plain', action: undo, topic, replaces: 'triage' }) as const

test('one decision takes the place of the one before, and its own outcome takes its place', () => {
  expect(isReplaced(decided('a'), decided('b'))).toBe(true)
  expect(isReplaced(decided('a'), { text: 'Ångrat', tone: 'plain', topic: 'a' })).toBe(true)
  expect(isReplaced(decided('a'), { text: 'hann före', tone: 'error', topic: 'a' })).toBe(true)
})

test('nothing else takes away a way back', () => {
  expect(isReplaced(decided('a'), plain)).toBe(false)
  expect(isReplaced(decided('a'), { text: 'hann före', tone: 'error', topic: 'b' })).toBe(false)
  const many = { text: '60 ärenden', tone: 'plain', action: undo, topic: 'many' } as const
  expect(isReplaced(many, decided('b'))).toBe(false)
})

test('what went wrong stays to be read', () => {
  expect(isReplaced({ text: 'kunde inte sparas', tone: 'error', topic: 'a', replaces: 'triage' }, decided('b'))).toBe(
    false,
  )
})

test('room is made by what has no way back, the oldest first', () => {
  const [a, b] = [decided('a'), decided('b')]
  expect(roomFor([a, plain, b])).toEqual([a, b])
  expect(roomFor([a, b, decided('c')])).toEqual([b, decided('c')])
  expect(roomFor([a, plain])).toEqual([a, plain])
})

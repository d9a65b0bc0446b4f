import { expect, test } from 'vitest'
import { hasShape, shape, SNAPSHOT } from './shape'

type Answer = { total: number; rows: string[]; snapshot: { version: number; fetchedAt: string }; chosen: object | null }
const good: Answer = {
  total: 1,
  rows: ['a'],
  snapshot: { version: 3, fetchedAt: '2026-11-20T07:00:00Z' },
  chosen: null,
}
const read = shape<Answer>({ total: 'number', rows: 'array', snapshot: SNAPSHOT, chosen: 'object' })

test('an answer of ours is handed on as it is, whatever else is in it', () => {
  expect(read(good)).toBe(good)
  expect(read({ ...good, more: 1 })).toMatchObject({ more: 1 })
})

test('a stranger’s answer is unreadable', () => {
  for (const body of [
    null,
    'text',
    [],
    {},
    { ...good, total: '1' },
    { ...good, rows: {} },
    { ...good, snapshot: null },
    { ...good, snapshot: { version: 3 } },
    { ...good, chosen: 'x' },
  ]) {
    expect(() => read(body)).toThrow('unreadable')
  }
})

test('a field without fields of its own has to be an object', () => {
  expect([{}, null, 1].map((lists) => hasShape<{ lists: object }>({ lists }, { lists: {} }))).toEqual([
    true,
    false,
    false,
  ])
})

import { expect, test } from 'vitest'
import { readHighSchools } from './high-school-records'

test('reads each school once, in the order sent, and sets aside what is no school', () => {
  const norra = { id: 'norra', name: 'Norra' }
  const highSchools = [norra, { id: 'södra' }, null, norra, { id: 'norra', name: 'Other' }, { id: 'x', name: 5 }]
  expect(readHighSchools({ highSchools, next: null })).toEqual({
    ok: true,
    highSchools: [norra, { id: 'södra', name: 'södra' }],
    unreadable: [
      { index: 2, id: null, reason: 'record: expected object' },
      { index: 4, id: 'norra', reason: 'id: duplicate' },
      { index: 5, id: 'x', reason: 'name: expected string' },
    ],
  })
})

test.each([
  [[], 'body: expected object'],
  [null, 'body: expected object'],
  [{}, 'highSchools: expected array'],
  [{ highSchools: { 0: {} } }, 'highSchools: expected array'],
])('%j is no list of schools', (json, detail) => {
  expect(readHighSchools(json)).toEqual({ ok: false, detail })
})

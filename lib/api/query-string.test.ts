import { expect, test } from 'vitest'
import { queryString } from './query-string'

test('repeats a parameter for each of its values, leaves out what is not there, whatever the order they were given in', () => {
  const filter = { school: ['norra', 'åsö & co'], q: undefined, limit: 100, fresh: true }
  expect(queryString(filter)).toBe('?fresh=true&limit=100&school=norra&school=%C3%A5s%C3%B6+%26+co')
  expect(queryString({ q: undefined })).toBe('')
})

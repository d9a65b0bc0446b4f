import { expect, test } from 'vitest'
import { createReaders } from './readers'

const HOUR = Date.UTC(2027, 0, 20, 8)

test('however the clock goes on meanwhile, an hour of a person is one and begins on the hour', () => {
  let ms = HOUR
  const readers = createReaders(() => (ms += 1))
  for (const id of ['a', 'b', 'a']) readers.of('eva').show('asked-question', [id])
  expect(readers.take()).toMatchObject([{ userId: 'eva', hour: HOUR, listed: 2 }])
  ms = HOUR + 3_600_000
  readers.of('eva').show('asked-question', ['a'])
  expect(readers.take()).toMatchObject([{ hour: HOUR + 3_600_000, listed: 1 }])
})

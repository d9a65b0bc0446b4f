import { expect, test } from 'vitest'
import { workingSpace } from './working-space'

test('room is made once, and anew only for more than there is', () => {
  const made: number[] = []
  const space = workingSpace((size) => {
    made.push(size)
    return new Uint32Array(size)
  })
  expect([space(100).length, space(90).length, space(120).length, space(200).length]).toEqual([100, 90, 120, 200])
  expect(made).toEqual([0, 125, 250])
})

import { expect, test } from 'vitest'
import { createPartSize } from './part-size'

test('parts grow until one takes its time, shrink when others want the database, and stay within bounds', async () => {
  let time = 0
  const size = createPartSize(() => time)
  const sizes: number[] = []
  const part = async (msEach: number) => {
    const count = size.next()
    sizes.push(count)
    await size.timed(count, async () => {
      time += count * msEach
    })
  }
  for (const msEach of [0.04, 0.04, 0.04, 0.06, 0.3, 0.01, 0.01, 0.01, 0.01, 0.01]) await part(msEach)
  expect(sizes).toEqual([250, 500, 750, 750, 500, 250, 500, 1000, 2000, 2000])
})

test('a part that fails says so and changes nothing', async () => {
  const size = createPartSize()
  await expect(size.timed(250, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(size.next()).toBe(250)
})

import { expect, test } from 'vitest'
import { createPartSize } from './part-size'

test('parts grow once a few have shown how long they take, shrink when that is longer, and stay within bounds', async () => {
  let time = 0
  const size = createPartSize(() => time)
  const sizes = async (parts: number, msEach: number) => {
    const done: number[] = []
    for (let part = 0; part < parts; part++) {
      const count = size.next()
      done.push(count)
      await size.timed(count, async () => {
        time += count * msEach
      })
    }
    return done
  }
  expect(await sizes(7, 0.04)).toEqual([250, 250, 250, 250, 500, 1000, 1000])
  expect((await sizes(8, 0.1)).at(-1)).toBe(400)
  expect((await sizes(8, 1)).at(-1)).toBe(250)
  expect((await sizes(12, 0.001)).at(-1)).toBe(2000)
})

test('a part that fails says so and changes nothing', async () => {
  const size = createPartSize()
  await expect(size.timed(250, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(size.next()).toBe(250)
})

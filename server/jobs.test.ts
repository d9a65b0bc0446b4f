import { expect, test } from 'vitest'
import { partByPart } from './jobs'

/** The sizes of so many parts, of which each piece takes so long at first and so long from a part on. */
async function sizes(count: number, msOf: (part: number) => number): Promise<number[]> {
  const [done, time] = [[] as number[], { ms: 0 }]
  const gone = new AbortController()
  const part = async (_: number, most: number) => {
    time.ms += most * msOf(done.length)
    if (done.push(most) === count) gone.abort()
  }
  const all = partByPart({ total: 1_000_000, part }, { signal: gone.signal }, () => time.ms)
  await expect(all).rejects.toThrow('aborted')
  return done
}

test('parts grow once a few have shown how long they take, shrink when that is longer, and stay within bounds', async () => {
  expect(await sizes(7, () => 0.04)).toEqual([250, 250, 250, 250, 500, 1000, 1000])
  expect((await sizes(15, (part) => (part < 7 ? 0.04 : 0.1))).at(-1)).toBe(400)
  expect((await sizes(15, (part) => (part < 7 ? 0.04 : 1))).at(-1)).toBe(250)
  expect((await sizes(19, () => 0.001)).at(-1)).toBe(2000)
})

test('parts begin where the work has stopped, the last takes what is left; a failure ends it', async () => {
  const begun: number[][] = []
  const progress: number[] = []
  const part = async (from: number, most: number) => begun.push([from, most])
  await partByPart({ total: 620, done: 100, part }, { onProgress: (done) => void progress.push(done) })
  expect(begun).toEqual([
    [100, 250],
    [350, 250],
    [600, 20],
  ])
  expect(progress).toEqual([350, 600, 620])
  const failing = partByPart({ total: 620, part: () => Promise.reject(new Error('gone')) })
  await expect(failing).rejects.toThrow('gone')
})

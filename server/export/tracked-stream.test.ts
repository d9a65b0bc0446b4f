import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTrackedStream, MAX_STREAM_MS } from './tracked-stream'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function world(chunks: number, fault?: Error) {
  const log: string[] = []
  async function* make(): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < chunks; index++) yield Uint8Array.of(log.push(`made ${index}`))
      if (fault) throw fault
    } finally {
      log.push('maker stopped')
    }
  }
  const stream = createTrackedStream(make(), async (how) => void log.push(how))
  return { log, reader: stream.getReader() }
}

test('an export is made no faster than it is read, and finished when the last chunk was taken', async () => {
  const { log, reader } = world(1)
  await reader.read()
  await setImmediate()
  expect(log).toEqual(['made 0'])
  expect((await reader.read()).done).toBe(true)
  expect(log).toEqual(['made 0', 'maker stopped', 'finished'])
  expect(vi.getTimerCount()).toBe(0)
})

type Reader = ReturnType<typeof world>['reader']
const disk = new Error('disk')
const atOnce = ['broken', 'maker stopped']
test.each<[string, number, string[], (reader: Reader) => Promise<unknown>]>([
  ['its reader leaves', 3, atOnce, (reader) => reader.cancel()],
  ['its reader stays and reads no more', 3, atOnce, () => vi.advanceTimersByTimeAsync(MAX_STREAM_MS)],
  ['its maker fails', 1, ['maker stopped', 'broken'], (reader) => expect(reader.read()).rejects.toThrow('disk')],
])('it is broken when %s, and its maker stops', async (_, chunks, ending, end) => {
  const { log, reader } = world(chunks, disk)
  await reader.read()
  await end(reader)
  expect(log).toEqual(['made 0', ...ending])
})

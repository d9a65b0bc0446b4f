import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTrackedStream, MAX_STREAM_MS } from './tracked-stream'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function world(chunks: number, { fault, stopFault }: { fault?: Error; stopFault?: Error } = {}) {
  const log: string[] = []
  async function* make(): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < chunks; index++) {
        log.push(`made ${index}`)
        yield Uint8Array.of(index)
      }
      if (fault) throw fault
    } finally {
      log.push('maker stopped')
      // oxlint-disable-next-line no-unsafe-finally
      if (stopFault) throw stopFault
    }
  }
  const stream = createTrackedStream(make(), async (how) => void log.push(how))
  return { log, reader: stream.getReader() }
}

test('the stream of an export is made no faster than it is read, and finished when the last chunk was taken', async () => {
  const { log, reader } = world(1)
  await reader.read()
  await setImmediate()
  expect(log).toEqual(['made 0'])
  expect((await reader.read()).done).toBe(true)
  expect(log).toEqual(['made 0', 'maker stopped', 'finished'])
  expect(vi.getTimerCount()).toBe(0)
})

test('it is broken when the reader leaves, and its maker stops', async () => {
  const { log, reader } = world(3)
  await reader.read()
  await reader.cancel()
  expect(log).toEqual(['made 0', 'maker stopped', 'broken'])
})

test('it is broken when its maker fails, and the reader hears of it', async () => {
  const { log, reader } = world(1, { fault: new Error('disk') })
  await reader.read()
  await expect(reader.read()).rejects.toThrow('disk')
  expect(log).toEqual(['made 0', 'maker stopped', 'broken'])
})

test('it is broken also when its maker cannot be stopped', async () => {
  const { log, reader } = world(3, { stopFault: new Error('disk') })
  await reader.read()
  await expect(reader.cancel()).rejects.toThrow('disk')
  expect(log).toEqual(['made 0', 'maker stopped', 'broken'])
})

test('it is broken when the reader stays and reads no more', async () => {
  const { log, reader } = world(3)
  await reader.read()
  await vi.advanceTimersByTimeAsync(MAX_STREAM_MS)
  expect(log).toEqual(['made 0', 'maker stopped', 'broken'])
  await expect(reader.read()).rejects.toThrow('too long')
})

import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cardId, trackedStream } from './export-leads'

describe('the stream of an export', () => {
  function world(chunks: number, fault?: Error) {
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
      }
    }
    const stream = trackedStream(make(), async (how) => void log.push(how))
    return { log, reader: stream.getReader() }
  }

  test('is finished when the last chunk was taken', async () => {
    const { log, reader } = world(1)
    await reader.read()
    expect(log).toEqual(['made 0'])
    expect((await reader.read()).done).toBe(true)
    expect(log).toEqual(['made 0', 'maker stopped', 'finished'])
  })

  test('is broken when the reader leaves, and its maker stops', async () => {
    const { log, reader } = world(3)
    await reader.read()
    await reader.cancel()
    expect(log).toEqual(['made 0', 'maker stopped', 'broken'])
  })

  test('is broken when its maker fails, and the reader hears of it', async () => {
    const { log, reader } = world(1, new Error('disk'))
    await reader.read()
    await expect(reader.read()).rejects.toThrow('disk')
    expect(log).toEqual(['made 0', 'maker stopped', 'broken'])
  })
})

const key = Buffer.alloc(32, 7)

test('the card of a lead is named by the keyed hash of its kind and id, as a UUID that says how it was made', () => {
  const uuid = cardId(key, 'declaration-of-interest', 'Åsa 1')
  const mac = createHmac('sha256', key).update('declaration-of-interest Åsa 1').digest('hex')
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(mac.startsWith(uuid.replaceAll('-', '').slice(0, 12))).toBe(true)
  expect(uuid.slice(-12)).toBe(mac.slice(20, 32))
  expect(cardId(key, 'declaration-of-interest', 'Åsa 1')).toBe(uuid)
  expect(cardId(key, 'asked-question', 'Åsa 1')).not.toBe(uuid)
})

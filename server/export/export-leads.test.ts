import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { LeadKind } from '@/lib/contract/lead'
import { createCardId, createTrackedStream } from './export-leads'

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
    const stream = createTrackedStream(make(), async (how) => void log.push(how))
    return { log, reader: stream.getReader() }
  }

  test('is made no faster than it is read, and finished when the last chunk was taken', async () => {
    const { log, reader } = world(1)
    await reader.read()
    await setImmediate()
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

test('the card of a lead is named by a keyed hash of its kind and id, as a UUID that says how it was made', () => {
  const nameOf = (key: number, kind: LeadKind) => createCardId(Buffer.alloc(32, key), kind, 'Åsa 1')
  const uuid = nameOf(7, 'declaration-of-interest')
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(nameOf(7, 'declaration-of-interest')).toBe(uuid)
  expect(new Set([uuid, nameOf(8, 'declaration-of-interest'), nameOf(7, 'asked-question')]).size).toBe(3)
})

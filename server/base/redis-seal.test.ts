import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRedisSeal } from './redis-seal'

const keys = { current: new Uint8Array(32).fill(7), previous: null }
const other = { current: new Uint8Array(32).fill(8), previous: null }
const place = 'intag:feed:{asked-questions} body'
const seal = createRedisSeal({ keys, onForeign: () => {} })

test.each([0, 1, 2 ** 18, 2 ** 18 + 1, 700_001])(
  '%i bytes come back as they were, in their place only',
  async (size) => {
    const bytes = randomBytes(size)
    const sealed = await seal.bytes.encrypt(bytes, place)
    expect((await seal.bytes.decrypt(sealed, place))?.equals(bytes)).toBe(true)
    expect(await seal.bytes.decrypt(sealed, 'elsewhere')).toBeNull()
    const changed = Buffer.from(sealed)
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    expect(await seal.bytes.decrypt(changed, place)).toBeNull()
  },
)

test('the key before still opens, another is reported once by its id, and noise is nothing', async () => {
  const foreign: string[] = []
  const stranger = createRedisSeal({ keys: other, onForeign: (keyId) => foreign.push(keyId) })
  const both = { ...other, previous: keys.current }
  const rotated = createRedisSeal({ keys: both, onForeign: (keyId) => foreign.push(keyId) })
  const sealed = await seal.bytes.encrypt(Buffer.from('Åsa'), place)
  const text = seal.texts.encrypt('Åsa', place)
  expect([(await rotated.bytes.decrypt(sealed, place))?.toString(), rotated.texts.decrypt(text, place)]).toEqual([
    'Åsa',
    'Åsa',
  ])
  expect(foreign).toEqual([])
  expect([await stranger.bytes.decrypt(sealed, place), stranger.texts.decrypt(text, place)]).toEqual([null, null])
  expect(foreign).toHaveLength(1)
  expect(await stranger.bytes.decrypt(Buffer.from('x'), place)).toBeNull()
  expect(stranger.texts.decrypt('of another release', place)).toBeNull()
})

test('forty megabytes are sealed and opened in pieces of 256 kB, between which other work runs', async () => {
  const MEGABYTES = 40
  const bytes = randomBytes(MEGABYTES * 2 ** 20)
  const sealing = (async () => seal.bytes.decrypt(await seal.bytes.encrypt(bytes, place), place))()
  const others = { turns: 0, isDone: false }
  void sealing.then(() => (others.isDone = true))
  for (; !others.isDone; others.turns += 1) await setImmediate()
  expect((await sealing)?.equals(bytes)).toBe(true)
  expect(others.turns).toBeGreaterThan(MEGABYTES * 4)
})

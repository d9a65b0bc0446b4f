import { afterAll, beforeAll, expect, test } from 'vitest'
import { notes } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import type { OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createSeal, keyId } from '@/server/seal'
import { runAdmin } from './run'

const KEY = Symbol.for('intag.services')
const OLD = new Uint8Array(32).fill(7)
const NEW = new Uint8Array(32).fill(8)
let database: OpenDatabase
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(async () => {
  Reflect.deleteProperty(globalThis, KEY)
  await database.close()
})

const be = (dataKey: Uint8Array, previous: Uint8Array | null, redisUrl: string | null = null) =>
  Reflect.set(globalThis, KEY, {
    feed: {},
    env: { mode: 'connected', databaseUrl: redisUrl && 'postgres://x', redisUrl, dataKey, previousDataKey: previous },
    now: Date.now,
    connect: async () => database.db,
    dataKeys: { current: dataKey, previous },
    seal: createSeal({ current: dataKey, previous }),
    redis: null,
    database: { close: async () => {} },
  })
const run = (...args: string[]) => runAdmin(['rotate-keys', ...args], 'intag admin')

test('makes another key each time, says what to set, and never prints the one that is set', async () => {
  be(OLD, null)
  const [first, second] = [await run(), await run()]
  const keyIn = (text: string) => /^ {2}DATA_KEY=(.*)$/m.exec(text)?.[1] ?? ''
  expect(Buffer.from(keyIn(first.out), 'base64')).toHaveLength(32)
  expect(keyIn(first.out)).not.toBe(keyIn(second.out))
  expect(first.out).toContain(keyId(OLD).toString('base64url'))
  expect(first.out).not.toContain(Buffer.from(OLD).toString('base64'))
  expect(first.out).not.toContain('several instances')
  be(OLD, null, 'redis://x')
  expect((await run()).out).toMatch(/several instances[^]*DATA_KEY_PREVIOUS=[\w+/]{43}=\n[^]*DATA_KEY=[\w+/]{43}=\n/)
  expect(await run('--finish')).toMatchObject({ code: 1, err: expect.stringContaining('DATA_KEY_PREVIOUS is not set') })
})

test('says how much is still under the old key, and when that can go', async () => {
  const sealedText = createSeal(OLD).close('text', placeOf.note('n1'))
  const row = { id: 'n1', kind: 'asked-question', leadId: 'l', sealedText, createdAt: new Date() } as const
  await database.db.insert(notes).values(row)
  be(NEW, OLD)
  expect((await run()).out).toMatch(/ {7}1 {2}notes\.sealed_text\n.*rotate-keys --finish/)
  await database.db.update(notes).set({ sealedText: createSeal(NEW).close('text', placeOf.note('n1')) })
  expect((await run()).out).toMatch(/Everything is sealed with DATA_KEY.*remove DATA_KEY_PREVIOUS/)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { notes } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import type { OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createSeal, keyId } from '@/server/seal'
import { report } from './keys'
import { consoleWorld } from './testing/console-world'

const OLD = new Uint8Array(32).fill(7)
const NEW = new Uint8Array(32).fill(8)
let database: OpenDatabase
const world = consoleWorld()
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(() => database.close())

const be = (dataKey: Uint8Array, previous: Uint8Array | null, redisUrl: string | null = null) =>
  world.be(async () => database.db, {
    env: { databaseUrl: redisUrl && 'postgres://x', redisUrl, dataKey, previousDataKey: previous },
    dataKeys: { current: dataKey, previous },
  })
const run = (...args: string[]) => world.run('rotate-keys', ...args)

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
  const sealedText = createSeal(OLD).encrypt('text', placeOf.note('n1'))
  const row = { id: 'n1', kind: 'asked-question', leadId: 'l', sealedText, createdAt: new Date() } as const
  await database.db.insert(notes).values(row)
  be(NEW, OLD)
  expect((await run()).out).toMatch(/ {7}1 {2}notes\.sealed_text\n.*rotate-keys --finish/)
  await database.db.update(notes).set({ sealedText: createSeal(NEW).encrypt('text', placeOf.note('n1')) })
  expect((await run()).out).toMatch(/Everything is sealed with DATA_KEY.*remove DATA_KEY_PREVIOUS/)
})

const counts = [
  { column: 'notes.sealed_text', resealed: 1204 },
  { column: 'exports.sealed_reason', resealed: 0 },
]
const nothing = counts.map(({ column }) => ({ column, resealed: 0 }))

test.each<[string, Partial<Parameters<typeof report>[0]>, boolean, string]>([
  [
    'and to run it once more',
    { counts },
    true,
    'Done. When every instance runs with the new DATA_KEY, run this once more.',
  ],
  ['and when the key before can go', { counts: nothing }, true, 'remove it when every instance'],
  [
    'and never that, while an instance still seals with it',
    { counts: nothing, isLeftBehind: true },
    true,
    'keep coming',
  ],
  ['without a key before', { counts }, false, 'Everything that can be opened'],
])('says how many of each were resealed, %s', (_, result, hasPrevious, advice) => {
  const done = { counts, unopened: [], isLeftBehind: false, ...result }
  const lines = report(done, hasPrevious).split('\n')
  expect(lines.map((line) => line.trim().split('  '))).toEqual([
    ...done.counts.map(({ column, resealed }) => [String(resealed), column]),
    [expect.stringContaining(advice)],
  ])
})

test('names what could not be opened, fifty of them', () => {
  const unopened = Array.from({ length: 53 }, (_, index) => `notes.sealed_text n${index}`)
  const text = report({ counts, unopened, isLeftBehind: false }, true)
  expect(text).toContain('53 that neither DATA_KEY nor DATA_KEY_PREVIOUS opens; they stay as they are:')
  expect(text).toContain('  notes.sealed_text n49\n  and 3 more\n')
})

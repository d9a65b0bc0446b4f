import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activity as log, type ActivityDetails } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createActivity } from './activity'

let database: Awaited<ReturnType<typeof openPgliteInMemory>>
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())

async function written(details: ActivityDetails) {
  await database.db.delete(log)
  await createActivity({ connect: async () => database.db, now: () => 0 }).record({
    userId: 'u',
    action: 'user-changed',
    details,
  })
  return (await database.db.select().from(log).orderBy(log.id)).map((row) => row.details ?? {})
}

test('a long list goes on in further rows, and nobody is left out', async () => {
  const schools = Array.from({ length: 300 }, (_, n) => `school-${n}`)
  const rows = await written({ user: 'eva', role: 'staff', schools })
  expect(rows.flatMap((row) => row.schools)).toEqual(schools)
  expect(rows.every(({ user, role }) => user === 'eva' && role === 'staff')).toBe(true)
  expect(await written({ user: 'eva', schools: ['a', 'b'] })).toEqual([{ user: 'eva', schools: ['a', 'b'] }])
})

test('no row is longer than 500 characters, whatever is said', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 700 }).map((it) => it.replaceAll('\0', '"').toWellFormed())
  const details = fc.record(
    { setting: text, from: text, to: text, n: fc.integer(), list: fc.array(text, { maxLength: 8 }) },
    { noNullPrototype: true },
  )
  await fc.assert(
    fc.asyncProperty(details, async (given) => {
      const rows = await written(given)
      expect(Math.max(...rows.map((row) => JSON.stringify(row).length))).toBeLessThanOrEqual(500)
      expect(rows.flatMap(({ list }) => list ?? [])).toHaveLength(given.list.length)
    }),
    { numRuns: 150 },
  )
})

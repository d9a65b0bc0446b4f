import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { count, sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type DataKeys } from '@/server/seal'
import { temporaryFolder } from '@/server/testing/folder'
import { sessions } from './access-schema'
import { checkBackup, inOneMoment, moveTables, restoreBackup, writeBackup } from './backup'
import { type Db, type OpenDatabase, openPostgres } from './database'
import { allTables, backedUpTables, copyOf, countRows, createRowCount, sequencesOf } from './table-copy'
import { newestMigration } from './migrations'
import { activity, triage, upstreamRequests, users } from './schema'
import { writeSealedFile } from './sealed-file'
import { loadTables } from './table-load'
import { openPgliteInMemory } from './testing/in-memory'
import { createOwnDatabase, type OwnDatabase } from './testing/own-database'
import { fillAtRandom } from './testing/random-rows'

const KEY = new Uint8Array(32).fill(1)
const NEXT = new Uint8Array(32).fill(2)
const OTHER = new Uint8Array(32).fill(3)
const keys = (current = KEY, previous: Uint8Array | null = null): DataKeys => ({ current, previous })
const now = () => Date.UTC(2026, 10, 23, 9)
const made = { mode: 'connected', dataKeys: keys(), now } as const
const into = { mode: 'connected', dataKeys: keys(), replace: false } as const

const server = process.env.TEST_DATABASE_URL
const opened: (() => Promise<void>)[] = []
const folder = temporaryFolder()
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})
const place = () => join(folder, randomUUID())

async function pglite(): Promise<Db> {
  const { db, close } = await openPgliteInMemory()
  opened.push(close)
  return db
}

async function postgres(): Promise<Db> {
  template ??= migratedDatabase()
  const own = await createOwnDatabase((await template).name)
  const { db, close } = await openPostgres(own.url, pino({ enabled: false }))
  opened.push(close, own.drop)
  return db
}

let template: Promise<OwnDatabase> | null = null
async function migratedDatabase(): Promise<OwnDatabase> {
  const own = await createOwnDatabase()
  await (await openPostgres(own.url, pino({ enabled: false }))).close()
  return own
}
afterAll(async () => (await template)?.drop())

const rowsIn = (db: Db, tables = backedUpTables) =>
  inOneMoment(db, async (tx) => {
    const found = []
    for (const table of tables) found.push(await countRows(tx, table))
    return found
  })

const pairs = [
  { name: 'PGlite to PGlite', from: pglite, to: pglite, needs: false },
  { name: 'PGlite to PostgreSQL', from: pglite, to: postgres, needs: true },
  { name: 'PostgreSQL to PGlite', from: postgres, to: pglite, needs: true },
].filter(({ needs }) => !needs || server !== undefined)

describe.each(pairs)('$name', ({ from, to }) => {
  test.each([1, 2, 3])('a backup of a random database is there row by row (%i)', async (seed) => {
    const [source, target, path] = [await from(), await to(), place()]
    await fillAtRandom(source, seed)
    await writeBackup(source, path, made)
    const { tables } = await checkBackup(path, keys())
    const restored = await restoreBackup(target, path, into)
    expect(restored).toEqual(tables)
    const [there, here] = [await rowsIn(source), await rowsIn(target)]
    expect(here).toEqual(there)
    expect(here.every(({ rows }) => rows === 12)).toBe(true)
  })

  test('moving leaves nothing behind', async () => {
    const [source, target] = [await from(), await to()]
    await fillAtRandom(source, 4)
    await moveTables(source, target, allTables)
    expect(await rowsIn(target, allTables)).toEqual(await rowsIn(source, allTables))
    await expect(moveTables(source, target, allTables)).rejects.toThrow(/not empty/)
  })

  test('with writes under way it is a consistent snapshot', async () => {
    const [source, target, path] = [await from(), await to(), place()]
    const state = { isDone: false, turns: 0 }
    const write = async () => {
      while (!state.isDone || state.turns < 20) {
        const row = { kind: 'asked-question', leadId: `l${state.turns}`, status: 'new', updatedAt: new Date() } as const
        await source.transaction(async (tx) => {
          await tx.insert(triage).values(row)
          await tx.insert(activity).values({ at: new Date(), action: 'triage-changed', leadId: row.leadId })
        })
        state.turns += 1
      }
    }
    const writing = write()
    await writeBackup(source, path, made)
    state.isDone = true
    await writing
    await restoreBackup(target, path, into)
    const counts = await Promise.all([triage, activity].map((table) => target.select({ n: count() }).from(table)))
    expect(counts[0]).toEqual(counts[1])
  })
})

describe('a file', () => {
  let kept: OpenDatabase
  let good = Buffer.alloc(0)
  const who = { id: 'u1', email: 'a@x.test', name: 'Åsa' }
  const person = { ...who, role: 'admin', schools: 'all', createdAt: new Date(0) } as const
  beforeAll(async () => {
    const source = await openPgliteInMemory()
    await fillAtRandom(source.db, 9)
    const path = place()
    await writeBackup(source.db, path, made)
    good = await readFile(path)
    await source.close()
    kept = await openPgliteInMemory()
    await kept.db.insert(users).values(person)
  })
  afterAll(() => kept.close())
  const refused = async (bytes: Uint8Array, dataKeys = keys()) => {
    const path = place()
    await writeFile(path, bytes)
    const before = await rowsIn(kept.db, allTables)
    const restoring = restoreBackup(kept.db, path, { ...into, dataKeys, replace: true })
    const error: unknown = await restoring.catch((caught: unknown) => caught)
    expect(await rowsIn(kept.db, allTables)).toEqual(before)
    return error instanceof Error ? error.message : 'restored'
  }

  test('holds nothing in the clear, is its owner’s alone, and replaces no other', async () => {
    const [source, path] = [await pglite(), place()]
    await source.insert(users).values(person)
    await writeBackup(source, path, made)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readFile(path)).includes('a@x.test')).toBe(false)
    await expect(writeBackup(source, path, made)).rejects.toThrow(/EEXIST/)
    expect((await checkBackup(path, keys())).about).toMatchObject({ madeAt: '2026-11-23T09:00:00.000Z' })
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('that is cut short anywhere is refused and changes nothing', async () => {
    const header = good.indexOf('\n') + 1
    for (const length of [0, 10, header, header + 3, header + 500, good.length - 1])
      expect(await refused(good.subarray(0, length)), String(length)).toMatch(/no backup of Intag|cut short/)
  })

  test('with one changed bit is refused and changes nothing', async () => {
    const header = good.indexOf('\n')
    for (const at of [20, header + 2, header + 6, Math.floor(good.length / 2), good.length - 1]) {
      const bytes = Buffer.from(good)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(await refused(bytes), String(at)).not.toBe('restored')
    }
    expect(await refused(Buffer.concat([good, Buffer.from('x')]))).toMatch(/cut short or was changed/)
  })

  test('of another key is refused in words, and opens with the one before', async () => {
    expect(await refused(good, keys(OTHER))).toMatch(/made with another DATA_KEY .*DATA_KEY_PREVIOUS/)
    const [target, path] = [await pglite(), place()]
    await writeFile(path, good)
    const restored = await restoreBackup(target, path, { ...into, dataKeys: keys(NEXT, KEY) })
    expect(restored.every(({ rows }) => rows === 12)).toBe(true)
  })

  test('of a demo, or of a newer release, is refused', async () => {
    const [source, target, path] = [await pglite(), await pglite(), place()]
    await writeBackup(source, path, { ...made, mode: 'demo' })
    await expect(restoreBackup(target, path, into)).rejects.toThrow(/backup of a demo/)
    const newer = place()
    const migration = newestMigration() + 1
    const about = { release: '9', madeAt: new Date(0).toISOString(), mode: 'connected', migration }
    await inOneMoment(source, (tx) => writeSealedFile(newer, keys().current, about, copyOf(tx, backedUpTables)))
    await expect(restoreBackup(target, newer, into)).rejects.toThrow(/newer release/)
  })
})

test('a database in use is replaced only with --replace', async () => {
  const [source, target, path] = [await pglite(), await pglite(), place()]
  await fillAtRandom(source, 5)
  await writeBackup(source, path, made)
  await fillAtRandom(target, 6)
  await expect(restoreBackup(target, path, into)).rejects.toThrow(/not empty/)
  await restoreBackup(target, path, { ...into, replace: true })
  const [there, here] = [await rowsIn(source), await rowsIn(target)]
  const apartFromRequests = (tables: typeof here) => tables.filter(({ table }) => table !== 'upstream_requests')
  expect(apartFromRequests(here)).toEqual(apartFromRequests(there))
  expect(await target.$count(sessions), 'nobody is signed in any more').toBe(0)
  expect(await target.$count(upstreamRequests), 'all that were sent count').toBe(24)
})

test('sequences never repeat a number', async () => {
  const [source, target, path] = [await pglite(), await pglite(), place()]
  await source.execute(sql`select setval('triage_revision', 900)`)
  await source.insert(activity).values([1, 2, 3].map(() => ({ at: new Date(), action: 'sign-in' })))
  await source.delete(activity).where(sql`id > 1`)
  await target.execute(sql`select setval('triage_revision', 400)`)
  await writeBackup(source, path, made)
  await restoreBackup(target, path, into)
  expect(await sequencesOf(target)).toMatchObject({ triage_revision: 900, activity_id_seq: 3 })
  const [entry] = await target.insert(activity).values({ at: new Date(), action: 'sign-in' }).returning()
  expect(entry?.id).toBe(4)
})

test('an older backup is migrated', async () => {
  const target = await pglite()
  const known = await migrationTimes(target)
  await target.transaction((tx) => loadTables(tx, { lines: oldCopy(), migration: known[0] ?? 0 }))
  const found = await target.select().from(users)
  expect(found.map(({ email, managed }) => [email, managed])).toEqual([['a@x.test', false]])
  expect(await migrationTimes(target)).toEqual(known)
})

test('the moment of a status comes from the log where an older backup lacks it', async () => {
  const [source, target] = [await pglite(), await pglite()]
  const before = (await migrationTimes(source))[8] ?? 0
  const [decided, assigned] = [new Date('2026-11-16T08:00:00Z'), new Date('2026-11-18T08:00:00Z')]
  const lead = { kind: 'asked-question', status: 'handled', updatedAt: assigned } as const
  await source.insert(triage).values(['logged', 'unlogged'].map((leadId) => ({ ...lead, leadId })))
  const entry = { action: 'triage-changed', leadKind: 'asked-question', leadId: 'logged' } as const
  await source.insert(activity).values([
    { ...entry, at: decided, details: { from: 'new', to: 'handled', assignee: null } },
    { ...entry, at: assigned, details: { from: 'handled', to: 'handled', assignee: 'a', assigneeBefore: null } },
  ])
  await source.execute(sql`alter table triage drop column status_at cascade`)
  await source.execute(sql`alter table mails drop column sender, drop column recipient, drop column digest`)
  await source.execute(sql`alter table reply_templates drop column owner_id`)
  await source.execute(sql`alter table lead_absences drop column agreed`)
  const tables = backedUpTables.filter((name) => !['jobs', 'known_leads'].includes(name))
  await inOneMoment(source, (tx) =>
    target.transaction((other) => loadTables(other, { lines: copyOf(tx, tables), migration: before })),
  )
  const found = await target.select({ leadId: triage.leadId, statusAt: triage.statusAt }).from(triage)
  const statusAt = Object.fromEntries(found.map((row) => [row.leadId, row.statusAt]))
  expect(statusAt).toEqual({ logged: decided, unlogged: assigned })
})

async function migrationTimes(db: Db): Promise<number[]> {
  const found = await db
    .select({ at: sql<number>`created_at::float8` })
    .from(sql`drizzle.__drizzle_migrations`)
    .orderBy(sql`created_at`)
  return found.map(({ at }) => at)
}

async function* oldCopy(): AsyncGenerator<string[]> {
  const columns = ['id', 'email', 'name', 'role', 'schools', 'created_at']
  const row = '["u1", "a@x.test", "Åsa", "admin", "\\"all\\"", "2026-01-01 00:00:00+00"]'
  const counted = createRowCount('users')
  counted.add(row)
  const { rows, digest } = counted.result()
  yield [JSON.stringify({ table: 'users', columns })]
  yield [row]
  yield [JSON.stringify({ rows, digest })]
  yield [JSON.stringify({ sequences: {} })]
}

import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isNotNull, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions } from '@/server/base/access-schema'
import { type Db, openPglite } from '@/server/base/database'
import { activity, triage, upstreamRequests, users } from '@/server/base/schema'
import { placePglite } from '@/server/base/testing/in-memory'
import { temporaryFolder } from '@/server/testing/folder'
import { dumpDatabase, restoreBackup } from './backup'

const folder = temporaryFolder()
const now = () => Date.UTC(2026, 10, 23, 9)

async function withDatabase<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openPglite(dataDir)
  return work(db).finally(close)
}

async function createInstallation<T>(work: (db: Db) => Promise<T>): Promise<{ dataDir: string; result: T }> {
  const dataDir = join(folder, randomUUID())
  await placePglite(dataDir)
  return { dataDir, result: await withDatabase(dataDir, work) }
}

const createBackup = async (work: (db: Db) => Promise<unknown>) =>
  (await createInstallation((db) => work(db).then(() => dumpDatabase(db)))).result
const restore = (backup: Buffer, dataDir: string, more = {}) =>
  restoreBackup(backup, { dataDir, replace: true, now, claimRestored: async () => {}, ...more })

const addUser = (db: Db, id: string) => {
  const user = { id, email: `${id}@skola.example`, name: id, role: 'admin', schools: 'all' } as const
  return db.insert(users).values({ ...user, linkHash: id, createdAt: new Date() })
}
const insertRequests = (db: Db, rows: (typeof upstreamRequests.$inferSelect)[]) =>
  db.insert(upstreamRequests).overridingSystemValue().values(rows)
const listUserIds = (dataDir: string) =>
  withDatabase(dataDir, async (db) => (await db.select().from(users)).map(({ id }) => id))

describe('a backup', () => {
  test('is one moment, also while others write', async () => {
    const dataDir = join(folder, randomUUID())
    const decide = (db: Db, leadId: string) =>
      db.transaction(async (tx) => {
        await tx.insert(triage).values({ kind: 'asked-question', leadId, status: 'new', updatedAt: new Date() })
        await tx.insert(activity).values({ loggedAt: new Date(), action: 'triage-changed', leadId })
      })
    const { result: backup } = await createInstallation(async (db) => {
      await decide(db, 'first')
      const deciding = Array.from({ length: 20 }, (_, turn) => decide(db, `lead ${turn}`))
      const dump = await dumpDatabase(db)
      await Promise.all(deciding)
      return dump
    })
    expect(await restore(backup, dataDir, { replace: false })).toBeNull()
    await withDatabase(dataDir, async (db) => {
      const [decided, logged] = [await db.$count(triage), await db.$count(activity)]
      expect(decided).toBe(logged)
      const [entry] = await db.insert(activity).values({ loggedAt: new Date(), action: 'sign-in' }).returning()
      expect(entry?.id, 'no number is given twice').toBeGreaterThan(logged)
    })
  })

  test('brings back neither sessions, links nor requests that may be sent again', async () => {
    const at = new Date()
    const clock = { id: 0, purpose: 'clock', sentAt: now() - 60_000, finishedAt: now() }
    const unfinished = { id: 7, purpose: 'list', sentAt: now() - 61 * 60_000, finishedAt: null }
    const requests = [clock, { ...unfinished, finishedAt: now() - 60 * 60_000 }, { ...unfinished, id: 8 }]
    const session = { id: 'x', userId: 'ada', address: '', device: '', method: 'password' } as const
    const backup = await createBackup(async (db) => {
      await addUser(db, 'ada')
      await db.insert(sessions).values({ ...session, createdAt: at, lastUsedAt: at, provedAt: at })
      await insertRequests(db, [{ ...clock, sentAt: 0, finishedAt: 0 }, unfinished])
    })
    const { dataDir } = await createInstallation(async (db) => {
      await addUser(db, 'bo')
      await insertRequests(db, requests)
    })
    await expect(restore(backup, dataDir, { replace: false })).rejects.toThrow('--replace')
    const before = await restore(backup, dataDir)
    expect(before).toBe(join(dataDir, 'pg.before-2026-11-23T090000.000Z'))
    expect(readdirSync(before ?? '')).toContain('PG_VERSION')
    expect(await listUserIds(dataDir)).toEqual(['ada'])
    await withDatabase(dataDir, async (db) => {
      expect(await db.$count(sessions)).toBe(0)
      expect(await db.$count(users, isNotNull(users.linkHash))).toBe(0)
      expect(await db.select().from(upstreamRequests).orderBy(upstreamRequests.id)).toEqual(requests)
    })
  })
})

describe('nothing is changed', () => {
  const there = createInstallation((db) => addUser(db, 'bo'))
  const good = createBackup((db) => addUser(db, 'ada'))
  const newer = createBackup((db) =>
    db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)`),
  )
  async function expectRefusal(backup: Buffer, words: RegExp | string, more = {}) {
    const { dataDir } = await there
    await expect(restore(backup, dataDir, more)).rejects.toThrow(words)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('pg'))).toEqual(['pg'])
  }

  test.each([0, 0.01, 0.999])('by a part of a backup (%d)', async (part) => {
    const bytes = await good
    await expectRefusal(bytes.subarray(0, Math.floor(bytes.length * part)), /^This is no backup of Intag/)
  })

  test('by another file, a backup of another time, or one that is not accepted', async () => {
    await expectRefusal(Buffer.from('something else'), /^This is no backup of Intag/)
    await expectRefusal(Buffer.from('intag-backup 1 {"release":"0.3.0"}\n'), /of Intag 0.3 or before/)
    await expectRefusal(await newer, /made by a newer Intag/)
    await expectRefusal(await good, 'another key', { claimRestored: () => Promise.reject(new Error('another key')) })
    expect(await listUserIds((await there).dataDir)).toEqual(['bo'])
  })
})

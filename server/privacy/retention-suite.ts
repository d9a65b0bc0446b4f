import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, like, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessions } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { activity, attempts, exports, mails, notes, settings, users } from '@/server/base/schema'
import { storedUser } from '@/server/access/testing/stored-user'
import { beginAnew, openInstallation, START } from './testing/installation'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** What is kept and for how long, on any database. */
export function retentionSuite(connect: Connect): void {
  describe('retention', () => {
    let author = ''
    beforeEach(async () => {
      author = await beginAnew(connect)
    })

    const open = (ids: readonly string[]) => openInstallation(connect, author, ids)
    const NIGHT = new Date('2026-11-17T02:00:00.000Z').getTime()
    /** What is older may be kept no longer. */
    const BORDER = new Date('2024-11-17T02:00:00.000Z').getTime()
    /** An installation without leads, before its first night. */
    const evening = async () => {
      const it = await open([])
      await it.pass(0)
      return { it, db: await connect(), pastNight: () => it.pass(20 * 60 * MINUTE) }
    }
    const many = Array.from({ length: 40 }, (_, index) => `d${index}`)
    const without = (...gone: string[]) => many.filter((id) => !gone.includes(id))

    test('what is kept about a lead goes after seven days of unbroken absence; the log stays', async () => {
      const it = await open(many)
      await it.annotate('d1')
      await it.annotate('d2')
      await it.pass(0)
      it.answers(without('d1'))
      await it.pass(6.9 * DAY)
      expect(await it.isKept('d1')).toBe(true)
      await it.pass(0.2 * DAY)
      expect([await it.isKept('d1'), await it.isKept('d2')]).toEqual([false, true])
      expect(await (await connect()).$count(activity, eq(activity.leadId, 'd1'))).toBe(1)
      const isNamed = like(sql`${settings.value}::text`, '%d1%')
      expect(await (await connect()).$count(settings, isNamed)).toBe(0)
    })

    test('a lead that reappears starts again', async () => {
      const it = await open(many)
      await it.annotate('d1')
      it.answers(without('d1'))
      await it.pass(1.5 * DAY)
      it.answers(many)
      await it.pass(30 * MINUTE)
      it.answers(without('d1'))
      await it.pass(6.9 * DAY)
      expect(await it.isKept('d1')).toBe(true)
      await it.pass(0.2 * DAY)
      expect(await it.isKept('d1')).toBe(false)
    })

    test('days in which the service failed or nothing ran count as no absence', async () => {
      const it = await open(many)
      await it.annotate('d1')
      it.answers(without('d1'))
      await it.pass(1 * DAY)
      it.answers(null)
      await it.pass(1 * DAY)
      it.sleep(5 * DAY)
      it.answers(without('d1'))
      await it.pass(3 * DAY)
      it.sleep(2 * DAY)
      await it.pass(2.9 * DAY)
      expect(await it.isKept('d1')).toBe(true)
      await it.pass(0.2 * DAY)
      expect(await it.isKept('d1')).toBe(false)
    })

    test('a list that shrank by more than a tenth purges nothing until it is back or an administrator agrees', async () => {
      const it = await open(many)
      await it.annotate('d1')
      await it.pass(0)
      it.answers(many.slice(5))
      await it.pass(7.1 * DAY)
      expect(await it.isKept('d1')).toBe(true)
      expect(await it.hold()).toMatchObject({ cause: 'shrunk', before: 40, after: 35, missing: 5, since: START })
      it.answers(many.slice(2))
      await it.pass(30 * MINUTE)
      expect(await it.hold()).toBeNull()
      expect(await it.isKept('d1')).toBe(false)
    })

    test('shrinking piece by piece within a day is sudden too', async () => {
      const it = await open(many)
      await it.pass(0)
      it.answers(many.slice(3))
      await it.pass(60 * MINUTE)
      expect(await it.hold()).toBeNull()
      it.answers(many.slice(6))
      await it.pass(60 * MINUTE)
      expect(await it.hold()).toMatchObject({ before: 40, after: 34 })
    })

    test('each kind of row goes in the night after its time, and not before', async () => {
      const { it, db } = await evening()
      const exported = { list, format: 'csv', count: 0, state: 'finished', sealedReason: '', scope: '' } as const
      const session = { userId: author, method: 'password', device: '', address: '' } as const
      const insert = async (id: string, ms: number) => {
        const at = new Date(BORDER + ms)
        const daysAgo = (days: number) => new Date(NIGHT - days * DAY + ms)
        await db.insert(notes).values({ id, kind, leadId: id, authorId: author, sealedText: 'x', createdAt: at })
        await db.insert(activity).values({ at, action: 'sign-in', userId: id })
        await db.insert(exports).values({ ...exported, columns: [], id, at, leadIds: [] })
        await db.insert(sessions).values({ ...session, id, createdAt: at, provedAt: at, lastUsedAt: daysAgo(30) })
        await db.insert(mails).values({ key: id, at: daysAgo(30), state: 'sent', sender: `reply ${author}` })
      }
      await insert(`old ${author}`, -DAY / 2)
      await insert(`new ${author}`, 2 * DAY)
      const kept = () =>
        Promise.all([
          ...[notes, activity, exports].map((rows) => db.$count(rows)),
          db.$count(sessions, eq(sessions.userId, author)),
          db.$count(mails, like(mails.key, `%${author}`)),
        ])
      await it.pass(12 * 60 * MINUTE)
      expect(await kept(), 'the same evening').toEqual([2, 2, 2, 2, 2])
      await it.pass(8 * 60 * MINUTE)
      expect(await kept(), 'the next morning').toEqual([1, 1, 1, 1, 1])
      it.sleep(10 * DAY)
      await it.pass(0)
      expect(await kept(), 'after nights that were missed').toEqual([0, 0, 0, 0, 0])
    })

    test('the log goes by age, and its addresses are shortened after 90 days', async () => {
      const { db, pastNight } = await evening()
      const ages = { old: BORDER - DAY / 2, kept: BORDER + 2 * DAY, distant: NIGHT - 91 * DAY, near: NIGHT - 89 * DAY }
      const addresses: Record<string, string> = { kept: '2001:db8:7:1::9' }
      for (const [userId, ms] of Object.entries(ages)) {
        const entry = { at: new Date(ms), action: 'sign-in', userId }
        await db.insert(activity).values({ ...entry, address: addresses[userId] ?? '192.0.2.7' })
      }
      await pastNight()
      const entries = await db.select().from(activity).orderBy(activity.id)
      expect(entries.map(({ userId, address }) => [userId, address])).toEqual([
        ['kept', '2001:db8:7::/48'],
        ['distant', '192.0.2.0/24'],
        ['near', '192.0.2.7'],
      ])
    })

    test('attempts that are too old are emptied at night, and their rows go seven days later', async () => {
      const { it, db, pastNight } = await evening()
      const leadId = randomUUID()
      const at = new Date('2024-11-16T02:00:00.000Z')
      await db.insert(attempts).values({ kind, leadId, userId: author, at, channel: 'phone', outcome: 'talked' })
      const left = () => db.select().from(attempts).where(eq(attempts.leadId, leadId))
      await pastNight()
      expect(await left()).toMatchObject([{ userId: null, channel: null, outcome: null }])
      it.sleep(6 * DAY)
      await it.pass(0)
      expect(await left()).toHaveLength(1)
      it.sleep(2 * DAY)
      await it.pass(0)
      expect(await left()).toEqual([])
    })

    test('keys of mails go at night after thirty days, whether or not mail is still set up', async () => {
      const { db, pastNight } = await evening()
      for (const [name, ms] of Object.entries({ old: -DAY, new: DAY })) {
        const at = new Date(NIGHT - 30 * DAY + ms)
        await db.insert(mails).values({ key: `${name} ${author}`, at, state: 'sent', sender: `reply ${author}` })
      }
      await pastNight()
      const mine = like(mails.key, `%${author}`)
      expect(await db.select({ key: mails.key }).from(mails).where(mine)).toEqual([{ key: `new ${author}` }])
    })

    test('links that are over go at night', async () => {
      const { db, pastNight } = await evening()
      const links = { over: -DAY, open: DAY }
      for (const [name, ms] of Object.entries(links)) {
        const link = { linkHash: `${name} ${author}`, linkExpiresAt: new Date(NIGHT + ms) }
        await db.insert(users).values(storedUser(`${name} ${author}`, link))
      }
      await pastNight()
      const left = await db
        .select({ id: users.id })
        .from(users)
        .where(like(users.linkHash, `%${author}`))
      expect(left).toEqual([{ id: `open ${author}` }])
    })
  })
}

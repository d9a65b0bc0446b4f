import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { storedUser } from '@/server/access/testing/stored-user'
import { sessions } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { activity, attempts, exports, mails, notes, settings, users } from '@/server/base/schema'
import { DAY, HOUR, openInstallation, START } from './testing/installation'

const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** What is kept and for how long, on any database. */
export function retentionSuite(connect: Connect): void {
  describe('what is kept about a lead', () => {
    const many = Array.from({ length: 40 }, (_, index) => `d${index}`)
    const without = (gone: string) => many.filter((id) => id !== gone)
    const opened = async () => {
      const it = await openInstallation(connect, many)
      await it.annotate('d1')
      await it.annotate('d2')
      await it.pass(0)
      return it
    }

    test('goes after seven days of unbroken absence; the log stays', async () => {
      const it = await opened()
      it.answers(without('d1'))
      await it.pass(1.5 * DAY)
      it.answers(many)
      await it.pass(HOUR / 2)
      it.answers(without('d1'))
      await it.pass(6.9 * DAY)
      expect(await it.isKept('d1'), 'absence is counted from its return').toBe(true)
      await it.pass(0.2 * DAY)
      expect([await it.isKept('d1'), await it.isKept('d2')]).toEqual([false, true])
      expect(await it.db.$count(activity, eq(activity.leadId, 'd1'))).toBe(1)
      const isNamed = like(sql`${settings.value}::text`, '%d1%')
      expect(await it.db.$count(settings, isNamed)).toBe(0)
    })

    test('stays on days in which the service failed or nothing ran', async () => {
      const it = await opened()
      it.answers(without('d1'))
      await it.pass(1 * DAY)
      it.answers(null)
      await it.pass(1 * DAY)
      it.sleep(5 * DAY)
      it.answers(without('d1'))
      await it.pass(3 * DAY)
      it.sleep(2 * DAY)
      await it.pass(1 * DAY)
      it.sleep(DAY / 2)
      await it.pass(1.9 * DAY)
      expect(await it.isKept('d1')).toBe(true)
      await it.pass(0.2 * DAY)
      expect(await it.isKept('d1')).toBe(false)
    })

    test('stays while the list is shorter by more than a tenth than within the last day', async () => {
      const it = await opened()
      it.answers(many.slice(3))
      await it.pass(HOUR)
      expect(await it.hold()).toBeNull()
      it.answers(many.slice(6))
      await it.pass(7.1 * DAY)
      expect(await it.isKept('d1')).toBe(true)
      const since = START + HOUR
      expect(await it.hold()).toMatchObject({ cause: 'shrunk', before: 40, after: 34, missing: 6, since })
      it.answers(many.slice(2))
      await it.pass(HOUR / 2)
      expect(await it.hold()).toBeNull()
      expect(await it.isKept('d1')).toBe(false)
    })
  })

  describe('what goes at night by age', () => {
    const NIGHT = new Date('2026-11-17T02:00:00.000Z').getTime()
    /** What is older may be kept no longer. */
    const BORDER = new Date('2024-11-17T02:00:00.000Z').getTime()
    /** An installation without leads, before its first night. */
    const evening = async () => {
      const it = await openInstallation(connect, [])
      await it.pass(0)
      return { ...it, pastNight: () => it.pass(20 * HOUR) }
    }

    test('is notes, log, exports, sessions and keys of mails, each in the night after its time, and not before', async () => {
      const { db, author, pass, sleep } = await evening()
      const exported = { list, format: 'csv', count: 0, state: 'finished', sealedReason: '', scope: '' } as const
      const session = { userId: author, method: 'password', device: '', address: '' } as const
      const insert = async (id: string, ms: number) => {
        const at = new Date(BORDER + ms)
        const monthAgo = new Date(NIGHT - 30 * DAY + ms)
        await db.insert(notes).values({ id, kind, leadId: id, authorId: author, sealedText: 'x', createdAt: at })
        await db.insert(activity).values({ at, action: 'sign-in', userId: id })
        await db.insert(exports).values({ ...exported, columns: [], id, startedAt: at, leadIds: [] })
        await db.insert(sessions).values({ ...session, id, createdAt: at, provedAt: at, lastUsedAt: monthAgo })
        await db.insert(mails).values({ key: id, writtenAt: monthAgo, state: 'sent', sender: `reply ${author}` })
      }
      await insert(`old ${author}`, -DAY / 2)
      await insert(`new ${author}`, 2 * DAY)
      const kept = () =>
        Promise.all([
          ...[notes, activity, exports].map((rows) => db.$count(rows)),
          db.$count(sessions, eq(sessions.userId, author)),
          db.$count(mails, like(mails.key, `%${author}`)),
        ])
      await pass(12 * HOUR)
      expect(await kept(), 'the same evening').toEqual([2, 2, 2, 2, 2])
      await pass(8 * HOUR)
      expect(await kept(), 'the next morning').toEqual([1, 1, 1, 1, 1])
      sleep(10 * DAY)
      await pass(0)
      expect(await kept(), 'after nights that were missed').toEqual([0, 0, 0, 0, 0])
    })

    test('are addresses in the log, of which the network is left after 90 days', async () => {
      const { db, pastNight } = await evening()
      const entries = [
        { userId: 'distant', address: '192.0.2.7', days: 91 },
        { userId: 'distant6', address: '2001:db8:7:1::9', days: 91 },
        { userId: 'near', address: '192.0.2.7', days: 89 },
      ]
      for (const { days, ...entry } of entries)
        await db.insert(activity).values({ ...entry, at: new Date(NIGHT - days * DAY), action: 'sign-in' })
      await pastNight()
      const left = await db.select().from(activity).orderBy(activity.id)
      expect(left.map(({ address }) => address)).toEqual(['192.0.2.0/24', '2001:db8:7::/48', '192.0.2.7'])
    })

    test('are attempts, which are emptied, and deleted seven days later', async () => {
      const { db, author, pastNight, sleep, pass } = await evening()
      const leadId = randomUUID()
      const at = new Date('2024-11-16T02:00:00.000Z')
      await db.insert(attempts).values({ kind, leadId, userId: author, at, channel: 'phone', outcome: 'talked' })
      const left = () => db.select().from(attempts).where(eq(attempts.leadId, leadId))
      await pastNight()
      expect(await left()).toMatchObject([{ userId: null, channel: null, outcome: null }])
      sleep(6 * DAY)
      await pass(0)
      expect(await left()).toHaveLength(1)
      sleep(2 * DAY)
      await pass(0)
      expect(await left()).toEqual([])
    })

    test('are links for a password that are over', async () => {
      const { db, author, pastNight } = await evening()
      for (const [name, ms] of Object.entries({ over: -DAY, open: DAY })) {
        const link = { linkHash: `${name} ${author}`, linkExpiresAt: new Date(NIGHT + ms) }
        await db.insert(users).values(storedUser(`${name} ${author}`, link))
      }
      await pastNight()
      const left = db.select({ id: users.id }).from(users)
      expect(await left.where(like(users.linkHash, `%${author}`))).toEqual([{ id: `open ${author}` }])
    })
  })
}

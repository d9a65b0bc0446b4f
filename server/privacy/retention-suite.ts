import { randomUUID } from 'node:crypto'
import { eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { storedUser } from '@/server/access/testing/stored-user'
import { sessions } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { activity, attempts, exports, mails, notes, settings, users } from '@/server/base/schema'
import { DAY, HOUR, openInstallation, START } from './testing/installation'

const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** What is kept and for how long, on any database. */
export function retentionSuite(connect: Connect): void {
  const many = Array.from({ length: 40 }, (_, index) => `d${index}`)
  /** An installation that has read the list, with notes on some of its leads. */
  const opened = async (ids: readonly string[] = many, notesOn: readonly string[] = ['d1', 'd2']) => {
    const it = await openInstallation(connect, ids)
    for (const id of notesOn) await it.annotate(id)
    await it.pass(HOUR)
    return it
  }

  describe('what is kept about a lead', () => {
    const without = (gone: string) => many.filter((id) => id !== gone)

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
      const since = START + 2 * HOUR
      expect(await it.hold()).toMatchObject({ cause: 'shrunk', before: 40, after: 34, missing: 6, since })
      it.answers(many.slice(2))
      await it.pass(HOUR / 2)
      expect(await it.hold()).toBeNull()
      expect(await it.isKept('d1')).toBe(false)
    })

    test('goes once an administrator agrees, and the list is compared with its new size from then on', async () => {
      const it = await opened()
      const holdOf = async (gone: number) => {
        it.answers(many.slice(gone))
        await it.pass(HOUR)
        return it.hold()
      }
      expect(await holdOf(6)).toMatchObject({ cause: 'shrunk' })
      await it.agree()
      expect(await holdOf(9), '31 of 34').toBeNull()
      expect(await holdOf(13)).toMatchObject({ cause: 'shrunk', before: 34, after: 27 })
    })
  })

  describe('what is kept about leads whose ids the service renews', () => {
    const renewed = (ids: readonly string[]) => ids.map((id) => `new-${id}`)

    test('a list as long as before, but of renewed ids, purges nothing until an administrator agrees', async () => {
      const ten = many.slice(0, 10)
      const it = await opened(ten, ten)
      const keptOf = async () => (await Promise.all(ten.map(it.isKept))).filter(Boolean).length
      it.answers(renewed(ten))
      await it.pass(7.1 * DAY)
      expect(await it.hold()).toMatchObject({ cause: 'renewed', missing: 10, after: 10, since: START + HOUR })
      expect(await keptOf()).toBe(10)
      expect(await it.agree()).toEqual({ holds: [] })
      await expect(it.agree(), 'once').rejects.toThrow(NotFoundError)
      const agreed = await it.db.select().from(activity).where(eq(activity.action, 'purge-agreed'))
      expect(agreed).toMatchObject([{ userId: it.author, details: { cause: 'renewed', before: 10, now: 10 } }])
      await it.pass(HOUR)
      expect([await it.hold(), await keptOf()]).toEqual([null, 0])
      it.answers(renewed(renewed(ten)))
      await it.pass(HOUR)
      expect(await it.hold(), 'once more').toMatchObject({ cause: 'renewed', missing: 10 })
      await it.agree()
      await it.pass(0)
      expect(await it.hold(), 'what was agreed to is no reason').toBeNull()
    })

    test('ids renewed piece by piece over days, with restarts, are noticed before the first is purged, until they are back', async () => {
      const it = await opened(many, [])
      const hold = async (gone: number) => {
        it.answers([...renewed(many.slice(0, gone)), ...many.slice(gone)])
        it.restart()
        await it.pass(0)
        it.sleep(1.5 * DAY)
        return it.hold()
      }
      expect([await hold(2), await hold(4)]).toEqual([null, null])
      expect(await hold(6)).toMatchObject({ cause: 'renewed', missing: 6, after: 40 })
      it.sleep(30 * DAY)
      expect(await hold(40)).toMatchObject({ missing: 40, after: 40 })
      expect(await hold(40), 'remembered until somebody agrees').toMatchObject({ missing: 40 })
      expect([await hold(0), await hold(0)], 'the renewed ids are gone instead').toEqual([null, null])
    })

    test('two withdrawn leads are not too many, nor is a season that ends over weeks', async () => {
      const short = await opened(['d1', 'd2', 'd3'], ['d1', 'd2'])
      short.answers(['d3', 'x', 'y'])
      await short.pass(0)
      expect(await short.hold()).toBeNull()
      const long = await opened(many, ['d0', 'd39'])
      for (let week = 1; week < 8; week++) {
        long.sleep(7 * DAY)
        long.answers([...many.slice(4 * week), ...renewed(many.slice(0, 4 * week))])
        await long.pass(0)
        expect(await long.hold()).toBeNull()
      }
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
        await db.insert(activity).values({ loggedAt: at, action: 'sign-in', userId: id })
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
        await db.insert(activity).values({ ...entry, loggedAt: new Date(NIGHT - days * DAY), action: 'sign-in' })
      await pastNight()
      const left = await db.select().from(activity).orderBy(activity.id)
      expect(left.map(({ address }) => address)).toEqual(['192.0.2.0/24', '2001:db8:7::/48', '192.0.2.7'])
    })

    test('are attempts, which are emptied, and deleted seven days later', async () => {
      const { db, author, pastNight, sleep, pass } = await evening()
      const leadId = randomUUID()
      const at = new Date('2024-11-16T02:00:00.000Z')
      await db
        .insert(attempts)
        .values({ kind, leadId, userId: author, madeAt: at, channel: 'phone', outcome: 'talked' })
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

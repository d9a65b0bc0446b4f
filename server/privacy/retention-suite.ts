import { randomUUID } from 'node:crypto'
import { eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { storedUser } from '@/server/access/testing/stored-user'
import { sessions } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { activity, attempts, exports, mails, notes, savedViews, settings, users } from '@/server/base/schema'
import { openInstallation, START } from './testing/installation'

const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** Tests what is kept and for how long, on any database. */
export function retentionSuite(connect: Connect) {
  const many = Array.from({ length: 40 }, (_, index) => `d${index}`)
  /** Opens an installation that has read the list, with notes on some of its leads. */
  const openWithNotes = async (ids: readonly string[] = many, notesOn: readonly string[] = ['d1', 'd2']) => {
    const intag = await openInstallation(connect, ids)
    for (const id of notesOn) await intag.annotate(id)
    await intag.passTime(HOUR_MS)
    return intag
  }

  describe('what is kept about a lead', () => {
    const without = (gone: string) => many.filter((id) => id !== gone)

    test('goes after seven days of unbroken absence; the log stays', async () => {
      const intag = await openWithNotes()
      await intag.passTime(1.5 * DAY_MS, without('d1'))
      await intag.passTime(HOUR_MS / 2, many)
      await intag.passTime(6.9 * DAY_MS, without('d1'))
      expect(await intag.isKept('d1'), 'absence is counted from its return').toBe(true)
      await intag.passTime(0.2 * DAY_MS)
      expect([await intag.isKept('d1'), await intag.isKept('d2')]).toEqual([false, true])
      expect(await intag.db.$count(activity, eq(activity.leadId, 'd1'))).toBe(1)
      const isNamed = like(sql`${settings.value}::text`, '%d1%')
      expect(await intag.db.$count(settings, isNamed)).toBe(0)
    })

    test('stays on days in which the service failed or nothing ran', async () => {
      const intag = await openWithNotes()
      await intag.passTime(1 * DAY_MS, without('d1'))
      await intag.passTime(1 * DAY_MS, null)
      intag.sleep(5 * DAY_MS)
      await intag.passTime(3 * DAY_MS, without('d1'))
      intag.sleep(2 * DAY_MS)
      await intag.passTime(1 * DAY_MS)
      intag.sleep(DAY_MS / 2)
      await intag.passTime(1.9 * DAY_MS)
      expect(await intag.isKept('d1')).toBe(true)
      await intag.passTime(0.2 * DAY_MS)
      expect(await intag.isKept('d1')).toBe(false)
    })

    test('stays while the list is shorter by more than a tenth than within the last day', async () => {
      const intag = await openWithNotes()
      await intag.passTime(HOUR_MS, many.slice(3))
      expect(await intag.readHold()).toBeNull()
      await intag.passTime(7.1 * DAY_MS, many.slice(6))
      expect(await intag.isKept('d1')).toBe(true)
      const since = START + 2 * HOUR_MS
      expect(await intag.readHold()).toMatchObject({ cause: 'shrunk', before: 40, after: 34, missing: 6, since })
      const value = sql`jsonb_set(${settings.value}, '{hold,cause}', '"other"')`
      await intag.db.update(settings).set({ value }).where(like(settings.name, 'list-watch:%'))
      await intag.passTime(0)
      expect(await intag.readHold(), 'of another release').toMatchObject({ cause: 'shrunk', missing: 6 })
      await intag.passTime(HOUR_MS / 2, many.slice(2))
      expect(await intag.readHold()).toBeNull()
      expect(await intag.isKept('d1')).toBe(false)
    })

    test('goes once an administrator agrees, and the list is compared with its new size from then on', async () => {
      const intag = await openWithNotes()
      const shrinkBy = async (count: number) => {
        await intag.passTime(HOUR_MS, many.slice(count))
        return intag.readHold()
      }
      expect(await shrinkBy(6)).toMatchObject({ cause: 'shrunk' })
      await intag.approvePurge()
      expect(await shrinkBy(9), '31 of 34').toBeNull()
      expect(await shrinkBy(13)).toMatchObject({ cause: 'shrunk', before: 34, after: 27 })
    })
  })

  describe('what is kept about leads whose ids the service renews', () => {
    const toRenewedIds = (ids: readonly string[]) => ids.map((id) => `new-${id}`)

    test('a list as long as before, but of renewed ids, purges nothing until an administrator agrees', async () => {
      const ten = many.slice(0, 10)
      const intag = await openWithNotes(ten, ten)
      const countKept = async () => (await Promise.all(ten.map(intag.isKept))).filter(Boolean).length
      await intag.passTime(7.1 * DAY_MS, toRenewedIds(ten))
      expect(await intag.readHold()).toMatchObject({ cause: 'renewed', missing: 10, after: 10, since: START + HOUR_MS })
      expect(await countKept()).toBe(10)
      expect(await intag.approvePurge()).toEqual({ holds: [] })
      await expect(intag.approvePurge(), 'once').rejects.toThrow(NotFoundError)
      const agreed = await intag.db.select().from(activity).where(eq(activity.action, 'purge-agreed'))
      expect(agreed).toMatchObject([{ userId: intag.author, details: { cause: 'renewed', before: 10, now: 10 } }])
      await intag.passTime(HOUR_MS)
      expect([await intag.readHold(), await countKept()]).toEqual([null, 0])
      await intag.passTime(HOUR_MS, toRenewedIds(toRenewedIds(ten)))
      expect(await intag.readHold(), 'once more').toMatchObject({ cause: 'renewed', missing: 10 })
      await intag.approvePurge()
      await intag.passTime(0)
      expect(await intag.readHold(), 'what was agreed to is no reason').toBeNull()
    })

    test('ids renewed piece by piece over days, with restarts, are noticed before the first is purged, until they are back', async () => {
      const intag = await openWithNotes(many, [])
      const renewFirst = async (count: number) => {
        intag.restart()
        await intag.passTime(0, [...toRenewedIds(many.slice(0, count)), ...many.slice(count)])
        intag.sleep(1.5 * DAY_MS)
        return intag.readHold()
      }
      expect([await renewFirst(2), await renewFirst(4)]).toEqual([null, null])
      expect(await renewFirst(6)).toMatchObject({ cause: 'renewed', missing: 6, after: 40 })
      intag.sleep(30 * DAY_MS)
      expect(await renewFirst(40)).toMatchObject({ missing: 40, after: 40 })
      expect(await renewFirst(40), 'remembered until somebody agrees').toMatchObject({ missing: 40 })
      expect([await renewFirst(0), await renewFirst(0)], 'the renewed ids are gone instead').toEqual([null, null])
    })

    test('two withdrawn leads are not too many, nor is a season that ends over weeks', async () => {
      const short = await openWithNotes(['d1', 'd2', 'd3'], ['d1', 'd2'])
      await short.passTime(0, ['d3', 'x', 'y'])
      expect(await short.readHold()).toBeNull()
      const long = await openWithNotes(many, ['d0', 'd39'])
      for (let week = 1; week < 8; week++) {
        long.sleep(7 * DAY_MS)
        await long.passTime(0, [...many.slice(4 * week), ...toRenewedIds(many.slice(0, 4 * week))])
        expect(await long.readHold()).toBeNull()
      }
    })
  })

  describe('what goes at night by age', () => {
    const NIGHT = new Date('2026-11-17T02:00:00.000Z').getTime()
    /** Rows from before this moment are deleted in that night. */
    const CUTOFF = new Date('2024-11-17T02:00:00.000Z').getTime()
    /** Opens an installation without leads, before its first night. */
    const openInEvening = async () => {
      const intag = await openInstallation(connect, [])
      await intag.passTime(0)
      return { ...intag, passNight: () => intag.passTime(20 * HOUR_MS) }
    }

    test('is notes, log, exports, views, sessions and keys of mails, each in the night after its time, and not before', async () => {
      const { db, author, passTime, sleep } = await openInEvening()
      const exported = { list, format: 'csv', count: 0, state: 'finished', sealedReason: '', scope: '' } as const
      const session = { userId: author, method: 'password', device: '', address: '' } as const
      const insert = async (id: string, ms: number) => {
        const at = new Date(CUTOFF + ms)
        const monthAgo = new Date(NIGHT - 30 * DAY_MS + ms)
        await db.insert(notes).values({ id, kind, leadId: id, authorId: author, sealedText: 'x', createdAt: at })
        await db.insert(activity).values({ loggedAt: at, action: 'sign-in', userId: id })
        await db.insert(exports).values({ ...exported, columns: [], id, startedAt: at, leadIds: [] })
        await db.insert(savedViews).values({ id, ownerId: author, list, sealedView: '', shared: false, createdAt: at })
        await db.insert(sessions).values({ ...session, id, createdAt: at, provedAt: at, lastUsedAt: monthAgo })
        await db.insert(mails).values({ key: id, writtenAt: monthAgo, state: 'sent', sender: `reply ${author}` })
      }
      await insert(`old ${author}`, -DAY_MS / 2)
      await insert(`new ${author}`, 2 * DAY_MS)
      const countRows = () =>
        Promise.all([
          ...[notes, activity, exports, savedViews].map((rows) => db.$count(rows)),
          db.$count(sessions, eq(sessions.userId, author)),
          db.$count(mails, like(mails.key, `%${author}`)),
        ])
      await passTime(12 * HOUR_MS)
      expect(await countRows(), 'the same evening').toEqual([2, 2, 2, 2, 2, 2])
      await passTime(8 * HOUR_MS)
      expect(await countRows(), 'the next morning').toEqual([1, 1, 1, 1, 1, 1])
      sleep(10 * DAY_MS)
      await passTime(0)
      expect(await countRows(), 'after nights that were missed').toEqual([0, 0, 0, 0, 0, 0])
      await insert(`late ${author}`, -DAY_MS)
      sleep(-5 * DAY_MS)
      await passTime(0)
      expect(await countRows(), 'after a clock that was wrong').toEqual([0, 0, 0, 0, 0, 0])
      const createdAt = new Date('2026-02-28T12:00:00.000Z')
      await db.insert(notes).values({ id: 'n', kind, leadId: 'n', authorId: author, sealedText: 'x', createdAt })
      sleep(Date.UTC(2028, 1, 29, 7) - START - 5 * DAY_MS - 20 * HOUR_MS)
      await passTime(0)
      expect(await db.$count(notes), 'in the night of a leap day').toBe(1)
    })

    test('are addresses in the log, of which the network is left after 90 days', async () => {
      const { db, passNight } = await openInEvening()
      const entries = [
        { userId: 'distant', address: '192.0.2.7', days: 91 },
        { userId: 'distant6', address: '2001:db8:7:1::9', days: 91 },
        { userId: 'near', address: '192.0.2.7', days: 89 },
      ]
      for (const { days, ...entry } of entries)
        await db.insert(activity).values({ ...entry, loggedAt: new Date(NIGHT - days * DAY_MS), action: 'sign-in' })
      await passNight()
      const left = await db.select().from(activity).orderBy(activity.id)
      expect(left.map(({ address }) => address)).toEqual(['192.0.2.0/24', '2001:db8:7::/48', '192.0.2.7'])
    })

    test('are attempts, which are emptied, and deleted seven days later', async () => {
      const { db, author, passNight, sleep, passTime } = await openInEvening()
      const leadId = randomUUID()
      const at = new Date('2024-11-16T02:00:00.000Z')
      await db
        .insert(attempts)
        .values({ kind, leadId, userId: author, madeAt: at, channel: 'phone', outcome: 'talked' })
      const readAttempts = () => db.select().from(attempts).where(eq(attempts.leadId, leadId))
      await passNight()
      expect(await readAttempts()).toMatchObject([{ userId: null, channel: null, outcome: null }])
      sleep(6 * DAY_MS)
      await passTime(0)
      expect(await readAttempts()).toHaveLength(1)
      sleep(2 * DAY_MS)
      await passTime(0)
      expect(await readAttempts()).toEqual([])
    })

    test('are links for a password that are over', async () => {
      const { db, author, passNight } = await openInEvening()
      for (const [name, ms] of Object.entries({ over: -DAY_MS, open: DAY_MS })) {
        const link = { linkHash: `${name} ${author}`, linkExpiresAt: new Date(NIGHT + ms) }
        await db.insert(users).values(storedUser(`${name} ${author}`, link))
      }
      await passNight()
      const left = db.select({ id: users.id }).from(users)
      expect(await left.where(like(users.linkHash, `%${author}`))).toEqual([{ id: `open ${author}` }])
    })
  })
}

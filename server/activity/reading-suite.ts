import 'server-only'
import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { allow, makeViewer, type Viewer } from '@/server/access/viewer'
import { readingHours } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import { activity, users } from '@/server/db/schema'
import { createSeal } from '@/server/seal'
import { createActivity } from './activity'
import { createReading } from './reading'
import { answerReadingQuestion, readingQuestion, unusualReading } from './reading-hours'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NINE = Date.UTC(2026, 10, 16, 8)
const kind = 'declaration-of-interest'

/** How reading is counted and asked about, on any database. */
export function readingSuite(connect: Connect): void {
  describe('reading', () => {
    let now = NINE
    let viewer: Viewer
    let isAway = false
    const seal = createSeal(new Uint8Array(32).fill(3))
    const log = createActivity({ connect, now: () => now })
    const instance = (warned: unknown[] = [], clock = () => now) =>
      createReading({
        connect: () => (isAway ? Promise.reject(new Error('away')) : connect()),
        activity: log,
        seal,
        limits: async () => ({ listed: 100, opened: 3 }),
        now: clock,
        logger: { warn: (line: object) => warned.push(line) },
      })
    const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `d${from + index}`)
    /** Each hour since nine: listed, opened, searches. */
    const hours = async () => {
      const mine = (await connect()).select().from(readingHours).where(eq(readingHours.userId, viewer.id))
      const rows = (await mine.orderBy(asc(readingHours.hour))).map(({ hour, listed, opened, searches }) =>
        [(hour.getTime() - NINE) / HOUR, listed, opened, searches].join(' '),
      )
      return rows.join(', ')
    }
    const logged = async () => {
      const mine = (await connect()).select().from(activity).where(eq(activity.userId, viewer.id))
      const rows = await mine.orderBy(asc(activity.id))
      return rows.map(({ action, leadId }) => (leadId === null ? action : `${action} ${leadId}`)).join(', ')
    }
    beforeEach(async () => {
      now = NINE
      isAway = false
      const db = await connect()
      const id = randomUUID()
      const person = { id, email: `${id}@skola.example`, name: 'A', role: 'admin', schools: 'all' } as const
      await db.insert(users).values({ ...person, createdAt: new Date() })
      viewer = makeViewer(person)
    })

    test('a lead counts once an hour, whatever sends it; what several instances counted adds up', async () => {
      const [one, other] = [instance(), instance()]
      one.countListed(viewer.id, kind, ids(50))
      one.countListed(viewer.id, kind, ids(50, 25))
      await one.flush()
      one.countListed(viewer.id, kind, ids(80))
      one.countListed(viewer.id, 'asked-question', ids(1))
      other.countListed(viewer.id, kind, ids(10, 500))
      await one.flush()
      await other.flush()
      now += HOUR
      one.countListed(viewer.id, kind, ids(5))
      await one.flush()
      await one.flush()
      expect(await hours()).toBe('0 91 0 0, 1 5 0 0')
    })

    test('beyond the memory’s limit each row counts', async () => {
      const reading = instance()
      reading.countListed(viewer.id, kind, ids(5_000))
      reading.countListed(viewer.id, kind, ids(5_000))
      await reading.flush()
      expect(await hours()).toBe('0 10000 0 0')
    })

    test('what is counted in an hour belongs to it, also when it is written in the next', async () => {
      const reading = instance()
      reading.countListed(viewer.id, kind, ids(7))
      now += HOUR
      reading.countListed(viewer.id, kind, ids(2))
      await reading.flush()
      expect(await hours()).toBe('0 7 0 0, 1 2 0 0')
    })

    test('however the clock goes on meanwhile, an hour of a person is one and begins on the hour', async () => {
      const reading = instance([], () => (now += 1))
      for (const id of ['a', 'b', 'a']) reading.countListed(viewer.id, kind, [id])
      await reading.flush()
      expect(await hours()).toBe('0 2 0 0')
    })

    test('a word that is typed is one search, and asked again it stays one', async () => {
      const reading = instance()
      for (const text of ['ås', 'åsa', 'åsa ö', 'åsa', 'erik', 'erik', undefined]) reading.countSearch(viewer.id, text)
      await reading.flush()
      expect(await hours()).toBe('0 0 0 2')
    })

    test('an opening is logged once while the lead is open, and again ten minutes after it was closed', async () => {
      const reading = instance()
      const lead = { kind, id: 'd1' } as const
      for (let minute = 0; minute < 30; minute++) {
        reading.countOpened(viewer.id, lead)
        if (minute % 5 === 0) await reading.flush()
        now += MINUTE
      }
      await reading.flush()
      expect(await logged()).toBe('lead-opened d1')
      now += 10 * MINUTE
      reading.countOpened(viewer.id, lead)
      await reading.flush()
      expect(await logged()).toBe('lead-opened d1, lead-opened d1')
      expect(await hours()).toBe('0 0 2 0')
    })

    test('one opening that two instances see is one entry; where another exists already there is none', async () => {
      const [one, other] = [instance(), instance()]
      one.countOpened(viewer.id, { kind, id: 'd1' })
      other.countOpened(viewer.id, { kind, id: 'd1' })
      other.countOpened(viewer.id, { kind, id: 'd2' }, { isLogged: true })
      await one.flush()
      await other.flush()
      expect(await logged()).toBe('lead-opened d1')
    })

    test('nothing is lost while the database is away', async () => {
      const warned: unknown[] = []
      const reading = instance(warned)
      isAway = true
      reading.countListed(viewer.id, kind, ids(3))
      reading.countOpened(viewer.id, { kind, id: 'd1' })
      await reading.flush()
      reading.countListed(viewer.id, kind, ids(4))
      isAway = false
      await reading.flush()
      expect(warned).toHaveLength(2)
      expect(await hours()).toBe('0 4 1 0')
      expect(await logged()).toBe('lead-opened d1')
    })

    test('more than usual is marked and logged once an hour, and the person is asked until they answer', async () => {
      const [reading, other] = [instance(), instance()]
      const parts = { connect, activity: log, seal, reading, now: () => now }
      reading.countListed(viewer.id, kind, ids(100))
      await reading.flush()
      expect(reading.isAsked(viewer.id)).toBe(false)
      reading.countListed(viewer.id, kind, ids(1, 100))
      await reading.flush()
      other.countListed(viewer.id, kind, ids(9, 300))
      await other.flush()
      expect(await logged()).toBe('reading-unusual')
      expect([reading.isAsked(viewer.id), other.isAsked(viewer.id)]).toEqual([true, true])
      expect((await readingQuestion(parts, viewer)).hours).toMatchObject([{ listed: 110, reason: null }])

      await answerReadingQuestion(parts, viewer, { later: true })
      expect(reading.isAsked(viewer.id)).toBe(false)
      now += 16 * MINUTE
      expect(reading.isAsked(viewer.id)).toBe(true)
      const reasons = async () => {
        const { hours: all } = await unusualReading(parts, allow(viewer, 'admin'))
        return all.flatMap(({ user, reason }) => (user.id === viewer.id ? [reason] : []))
      }
      expect(await reasons()).toEqual([null])

      expect(await answerReadingQuestion(parts, viewer, { reason: 'Öppet hus' })).toEqual({ explained: 1 })
      expect(reading.isAsked(viewer.id)).toBe(false)
      await other.flush()
      expect(other.isAsked(viewer.id)).toBe(false)
      expect(await reasons()).toEqual(['Öppet hus'])
      const db = await connect()
      const [row] = await db.select().from(readingHours).where(eq(readingHours.userId, viewer.id))
      expect(row?.sealedReason).not.toContain('hus')
      expect(await answerReadingQuestion(parts, viewer, { reason: 'Igen' })).toEqual({ explained: 0 })
      expect(await logged()).toBe('reading-unusual, reading-explained')
    })

    test('what is usual on each of two instances is more than usual together, and either asks', async () => {
      const [one, other] = [instance(), instance()]
      one.countListed(viewer.id, kind, ids(60))
      other.countListed(viewer.id, kind, ids(60, 60))
      await Promise.all([one.flush(), other.flush()])
      await one.flush()
      expect(await logged()).toBe('reading-unusual')
      expect([one.isAsked(viewer.id), await other.flush().then(() => other.isAsked(viewer.id))]).toEqual([true, true])
    })

    test('whose one export is more than usual has given a reason, and is not asked; many small ones are', async () => {
      const reading = instance()
      const parts = { connect, activity: log, seal, reading, now: () => now }
      reading.countExported(viewer.id, kind, ids(60), 'Brev')
      reading.countExported(viewer.id, kind, ids(101), 'Inbjudan')
      reading.countExported(viewer.id, kind, ids(10), 'Samtal')
      await reading.flush()
      expect(reading.isAsked(viewer.id)).toBe(false)
      const { hours: unusual } = await unusualReading(parts, allow(viewer, 'admin'))
      expect(unusual.find(({ user }) => user.id === viewer.id)).toMatchObject({ listed: 101, reason: 'Inbjudan' })
      now += HOUR
      reading.countExported(viewer.id, kind, ids(60), 'Brev')
      reading.countExported(viewer.id, kind, ids(60, 60), 'Brev')
      await reading.flush()
      expect(reading.isAsked(viewer.id)).toBe(true)
    })

    test('many openings are more than usual, too', async () => {
      const reading = instance()
      for (const id of ids(4)) reading.countOpened(viewer.id, { kind, id })
      await reading.flush()
      expect(await logged()).toContain('reading-unusual')
    })
  })
}

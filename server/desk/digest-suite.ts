import 'server-only'
import { randomUUID } from 'node:crypto'
import { like } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { usualWorkSettings } from '@/lib/contract/work-settings'
import { defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import type { LeadTable } from '@/lib/leads/lead-table'
import { allIsWork } from '@/lib/leads/work-rules'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { Connect } from '@/server/db/database'
import { mails } from '@/server/db/job-schema'
import { preferences, users } from '@/server/db/schema'
import { emptyListState } from '@/server/feed/list-state'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { createTriageColumnsCache } from '@/server/leads/list-counts'
import { createWorkCounts } from '@/server/leads/work-counts'
import { createUsers } from '@/server/users/users'
import { createDigest } from './digest'
import { claimMail, releaseMail } from './mails'
import type { Delivery, Mail, MailFailure } from './mailer'

/** Seven in the morning of a Monday in November, in Stockholm. */
const SEVEN = Date.parse('2026-11-23T06:00:00Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000

/** What the morning's mail promises, and that a mail goes out once, on any database. */
export function digestSuite(connect: Connect): void {
  test('a mail is sent by the first who claims its name; what was not sent may be tried again', async () => {
    const name = randomUUID()
    const claim = async () => claimMail(await connect(), SEVEN, { name })
    expect((await Promise.all([claim(), claim()])).toSorted()).toEqual([false, true])
    await releaseMail(await connect(), name)
    expect(await claim()).toBe(true)
  })

  describe('the digest', () => {
    let clock = SEVEN
    let manner: (mail: Mail) => Delivery
    const sent: Mail[] = []
    const warned: unknown[] = []
    let id = ''
    beforeEach(async () => {
      clock = SEVEN
      sent.length = 0
      warned.length = 0
      manner = () => ({ ok: true })
      const db = await connect()
      await db.delete(preferences)
      await db.delete(mails).where(like(mails.name, 'digest %'))
      id = await person({ schools: ['norra'] })
    })

    async function person(change: Partial<typeof users.$inferInsert>, language: 'sv' | 'en' | null = 'sv') {
      const db = await connect()
      const userId = randomUUID()
      const row = { id: userId, name: 'Anna Lund', email: `${userId}@skola.example`, role: 'staff' } as const
      await db.insert(users).values({ ...row, schools: 'all', createdAt: new Date(SEVEN), ...change })
      const value = { on: language !== null, language: language ?? 'sv' }
      await db.insert(preferences).values({ userId, name: 'digest', value })
      return userId
    }

    /** One instance of Intag. */
    function instance({ leave = {}, holiday = '', isEmpty = false } = {}) {
      const now = () => clock
      const questions = [
        question('q1', { email: 'elsa@elev.example', text: 'Får man ta med sin häst?' }),
        question('q2', { school: 'sodra', email: 'olle@elev.example' }),
      ]
      const tables = {
        questions: builtTableOf('asked-question', isEmpty ? [] : questions),
        declarations: builtTableOf(
          'declaration-of-interest',
          isEmpty ? [] : [declaration('d1', { firstName: 'Elsa' })],
        ),
      }
      const listed = (table: LeadTable) => ({
        ...emptyListState<{ table: LeadTable }>(),
        content: { table },
        fetchedAt: SEVEN,
      })
      const settings = { ...usualWorkSettings, leave, cycle: defaultAdmissionCycle }
      return createDigest({
        connect,
        now,
        env: { auth: { url: 'https://intag.example', secret: '' } },
        users: createUsers({ connect, now, demo: false }),
        mailer: {
          send: async (mail) => {
            const delivery = manner(mail)
            if (delivery.ok) sent.push(mail)
            return delivery
          },
        },
        feed: {
          markWatched: () => {},
          ready: async () => {},
          askedQuestions: () => listed(tables.questions),
          declarations: () => listed(tables.declarations),
        },
        protections: { current: async () => ({ all: [], fingerprint: '' }) },
        triage: { current: async () => new Map(), changes: () => 0 },
        triageColumns: createTriageColumnsCache(),
        workCounts: createWorkCounts(),
        visits: { lastEnded: async () => null, visit: async () => null },
        work: {
          settings: async () => settings,
          rules: async () => allIsWork,
          isHoliday: (day) => day === holiday,
          outdate: () => {},
        },
        logger: { info: () => {}, warn: (line: unknown) => void warned.push(line) },
      })
    }

    test('goes out at seven on a working day, once, whichever instance looks', async () => {
      const [one, other] = [instance(), instance()]
      clock = SEVEN - 1
      await one.run()
      expect(sent, 'not before').toEqual([])
      clock = SEVEN
      await Promise.all([one.run(), other.run()])
      await Promise.all([one.run(), instance().run()])
      expect(sent.map(({ to }) => to)).toEqual([`${id}@skola.example`])
      clock += DAY_MS
      await Promise.all([one.run(), other.run()])
      expect(sent, 'and again the next day').toHaveLength(2)
    })

    test('has counts of what the person may see, and links; nobody’s name and no text', async () => {
      await instance().run()
      const [mail] = sent
      expect(mail?.subject).toBe('Intag i dag: 2 väntar på svar')
      expect(mail?.text).toContain(
        'Frågor\n  1 ny sedan du var här sist\n  1 väntar på svar\n  https://intag.example/questions',
      )
      expect(mail?.text).toContain('https://intag.example/today')
      expect(mail?.headers).toEqual({ 'List-Unsubscribe': '<https://intag.example/account>' })
      expect(JSON.stringify(mail)).not.toMatch(/elsa|olle|häst|Anna/i)
    })

    test('is in the language that was chosen', async () => {
      const other = await person({}, 'en')
      await instance().run()
      expect(sent.find(({ to }) => to.startsWith(other))?.subject).toBe('Intag today: 3 wait for an answer')
    })

    test('is made up for until ten, and not later', async () => {
      clock = SEVEN + 3 * 3_600_000 - 1
      await instance().run()
      expect(sent).toHaveLength(1)
      clock = SEVEN + DAY_MS + 3 * 3_600_000
      await instance().run()
      expect(sent).toHaveLength(1)
    })

    test('stays away on Saturdays and holidays', async () => {
      await instance({ holiday: '2026-11-23' }).run()
      clock = SEVEN + 5 * DAY_MS
      await instance().run()
      expect(sent).toEqual([])
    })

    test('is for those who want it, may read leads, are here, and have something to do', async () => {
      await person({}, null)
      await person({ disabled: true })
      await person({ role: 'manager' })
      const away = await person({})
      await person({ schools: [] })
      await instance({ leave: { [away]: '2026-11-24' } }).run()
      expect(sent.map(({ to }) => to)).toEqual([`${id}@skola.example`])
      clock += DAY_MS
      await instance({ leave: { [away]: '2026-11-24' } }).run()
      expect(
        sent.map(({ to }) => to),
        'back again',
      ).toContain(`${away}@skola.example`)
      sent.length = 0
      clock += DAY_MS
      await instance({ isEmpty: true }).run()
      expect(sent).toEqual([])
    })

    test('that the server does not take is tried again after a while; one that may have arrived is not', async () => {
      const one = instance()
      manner = () => ({ ok: false, kind: 'unreachable', detail: 'ECONNECTION' })
      await one.run()
      manner = () => ({ ok: true })
      await one.run()
      expect(sent, 'the server is given time').toEqual([])
      clock += 6 * MINUTE_MS
      manner = () => ({ ok: false, kind: 'unsure', detail: 'ECONNECTION' })
      await one.run()
      manner = () => ({ ok: true })
      clock += 6 * MINUTE_MS
      await one.run()
      expect(sent).toEqual([])
      expect(warned).toEqual([
        { kind: 'unreachable', detail: 'ECONNECTION' },
        { kind: 'unsure', detail: 'ECONNECTION' },
      ])
    })

    describe('of whom one’s mail is refused', () => {
      let everybody: string[]
      let refused: string | null
      const arrived = () => sent.map(({ to }) => to).toSorted()
      beforeEach(async () => {
        const others = await Promise.all([person({}), person({}), person({})])
        everybody = [id, ...others].map((one) => `${one}@skola.example`).toSorted()
        refused = null
      })
      /** Whoever is first in the round is refused, then and always. */
      const refuses = (kind: MailFailure, detail: string) => {
        manner = ({ to }) => (to === (refused ??= to) ? { ok: false, kind, detail } : { ok: true })
      }
      const morning = async () => {
        const one = instance()
        for (; clock < SEVEN + 2 * 3_600_000; clock += 5 * MINUTE_MS) await one.run()
      }

      test.each([
        ['recipient', 'EENVELOPE 550'],
        ['recipient', 'EENVELOPE'],
        ['refused', 'EMESSAGE 552'],
        ['refused', 'EMESSAGE'],
        ['unsure', 'ECONNECTION'],
      ] as const)(
        'for good (%s %s), the others get theirs at once, and that one is not tried again',
        async (kind, detail) => {
          refuses(kind, detail)
          await instance().run()
          expect(arrived()).toEqual(everybody.filter((one) => one !== refused))
          await morning()
          expect(warned).toHaveLength(1)
        },
      )

      test.each([
        ['recipient', 'EENVELOPE 450'],
        ['refused', 'EMESSAGE 452'],
      ] as const)(
        'for now (%s %s), the others get theirs at once, and that one after a while',
        async (kind, detail) => {
          refuses(kind, detail)
          const one = instance()
          await one.run()
          expect(arrived()).toEqual(everybody.filter((other) => other !== refused))
          manner = () => ({ ok: true })
          clock += MINUTE_MS
          await one.run()
          expect(arrived(), 'it is given time').toHaveLength(3)
          clock += 5 * MINUTE_MS
          await one.run()
          expect(arrived()).toEqual(everybody)
          expect(warned).toHaveLength(1)
        },
      )

      test.each([
        ['refused', 'EAUTH 535'],
        ['refused', 'ETLS'],
        ['refused', 'EENVELOPE 550'],
        ['unreachable', 'ECONNECTION'],
        ['timed-out', 'ETIMEDOUT'],
      ] as const)('because of the server (%s %s), the round ends, and all get theirs later', async (kind, detail) => {
        manner = () => ({ ok: false, kind, detail })
        const one = instance()
        await one.run()
        expect(warned).toEqual([{ kind, detail }])
        manner = () => ({ ok: true })
        clock += 5 * MINUTE_MS
        await one.run()
        expect(arrived()).toEqual(everybody)
      })

      test('by silence each time, the others are not kept waiting for that one', async () => {
        refuses('timed-out', 'ETIMEDOUT')
        await morning()
        expect(arrived()).toEqual(everybody.filter((one) => one !== refused))
      })
    })
  })
}

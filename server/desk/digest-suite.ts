import 'server-only'
import { randomUUID } from 'node:crypto'
import { like } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultAdmissionCycle, usualWorkSettings } from '@/lib/contract/settings'
import { allIsWork } from '@/lib/leads/work-rules'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { Connect } from '@/server/db/database'
import { mails, preferences, users } from '@/server/db/schema'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { createDigest } from './digest'
import { claimMail, releaseMail } from './mails'
import type { Delivery, Mail, MailFailure } from './mailer'

/** Seven in the morning of a Monday in November, in Stockholm. */
const SEVEN = Date.parse('2026-11-23T06:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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
    async function instance({ leave = {}, holiday = '', isEmpty = false } = {}) {
      const { parts, setQuestions, setDeclarations } = await openTestDesk({
        db: await connect(),
        close: async () => {},
      })
      const questions = [
        question('q1', { email: 'elsa@elev.example', text: 'Får man ta med sin häst?' }),
        question('q2', { school: 'sodra', email: 'olle@elev.example' }),
      ]
      setQuestions(isEmpty ? [] : questions)
      setDeclarations(isEmpty ? [] : [declaration('d1', { firstName: 'Elsa' })])
      const settings = { ...usualWorkSettings, leave, cycle: defaultAdmissionCycle }
      const send = async (mail: Mail) => {
        const delivery = manner(mail)
        if (delivery.ok) sent.push(mail)
        return delivery
      }
      return createDigest({
        ...parts,
        now: () => clock,
        env: { auth: { url: 'https://intag.example', secret: '' } },
        mailer: { send },
        triage: { current: async () => new Map(), changes: () => 0 },
        visits: { lastEnded: async () => null, visit: async () => null },
        work: {
          settings: async () => settings,
          rules: async () => allIsWork,
          isHoliday: (day) => day === holiday,
        },
        logger: { info: () => {}, warn: (line: unknown) => void warned.push(line) },
      })
    }
    const run = async (options = {}): Promise<void> => {
      await (await instance(options)).run()
    }

    const arrived = () => sent.map(({ to }) => to).toSorted()

    test('goes out at seven on a working day, once, whichever instance looks', async () => {
      const [one, other] = [await instance(), await instance()]
      clock = SEVEN - 1
      await one.run()
      expect(sent, 'not before').toEqual([])
      clock = SEVEN
      await Promise.all([one.run(), other.run()])
      await Promise.all([one.run(), run()])
      expect(arrived()).toEqual([`${id}@skola.example`])
      clock += DAY_MS
      await Promise.all([one.run(), other.run()])
      expect(sent, 'and again the next day').toHaveLength(2)
    })

    test('has counts of what the person may see, and links; nobody’s name and no text', async () => {
      await run()
      const [mail] = sent
      expect(mail?.subject).toBe('Intag i dag: 2 väntar på svar')
      const questions = 'Frågor\n  1 ny sedan du var här sist\n  1 väntar på svar\n  https://intag.example/questions'
      expect(mail?.text).toContain(questions)
      expect(mail?.text).toContain('https://intag.example/today')
      expect(mail?.headers).toEqual({ 'List-Unsubscribe': '<https://intag.example/account>' })
      expect(JSON.stringify(mail)).not.toMatch(/elsa|olle|häst|Anna/i)
    })

    test('is in the language that was chosen', async () => {
      const other = await person({}, 'en')
      await run()
      expect(sent.find(({ to }) => to.startsWith(other))?.subject).toBe('Intag today: 3 wait for an answer')
    })

    test.each([
      ['until ten', 3 * HOUR_MS - 1, '', 1],
      ['not later', 3 * HOUR_MS, '', 0],
      ['not on a holiday', 0, '2026-11-23', 0],
      ['not on a Saturday', 5 * DAY_MS, '', 0],
    ])('is made up for %s', async (_, ms, holiday, count) => {
      clock = SEVEN + ms
      await run({ holiday })
      expect(sent).toHaveLength(count)
    })

    test('is for those who want it, may read leads, are here, and have something to do', async () => {
      await person({}, null)
      await person({ disabled: true })
      await person({ role: 'manager' })
      const away = await person({})
      await person({ schools: [] })
      await run({ leave: { [away]: '2026-11-24' } })
      expect(arrived()).toEqual([`${id}@skola.example`])
      clock += DAY_MS
      await run({ leave: { [away]: '2026-11-24' } })
      expect(arrived(), 'back again').toContain(`${away}@skola.example`)
      sent.length = 0
      clock += DAY_MS
      await run({ isEmpty: true })
      expect(sent).toEqual([])
    })

    test('that the server does not take is tried again after a while; one that may have arrived is not', async () => {
      const one = await instance()
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
        { mail: 'digest', kind: 'unreachable', detail: 'ECONNECTION' },
        { mail: 'digest', kind: 'unsure', detail: 'ECONNECTION' },
      ])
    })

    describe('of whom one’s mail is refused', () => {
      let everybody: string[]
      let refused: string | null
      beforeEach(async () => {
        const others = await Promise.all([person({}), person({}), person({})])
        everybody = [id, ...others].map((one) => `${one}@skola.example`).toSorted()
        refused = null
      })
      /** The first of a round is refused, then and always. */
      const refuses = (kind: MailFailure, detail: string) => {
        manner = ({ to }) => (to === (refused ??= to) ? { ok: false, kind, detail } : { ok: true })
      }
      const morning = async () => {
        const one = await instance()
        for (; clock < SEVEN + 2 * 3_600_000; clock += 5 * MINUTE_MS) await one.run()
      }

      const REFUSED = [
        ['recipient', 'EENVELOPE 550', false],
        ['recipient', 'EENVELOPE', false],
        ['refused', 'EMESSAGE', false],
        ['unsure', 'ECONNECTION', false],
        ['recipient', 'EENVELOPE 450', true],
      ] as const
      test.each(REFUSED)(
        '%s %s: the others get theirs at once, and that one later: %s',
        async (kind, detail, isLater) => {
          refuses(kind, detail)
          const one = await instance()
          await one.run()
          const others = everybody.filter((other) => other !== refused)
          expect(arrived()).toEqual(others)
          manner = () => ({ ok: true })
          clock += MINUTE_MS
          await one.run()
          expect(arrived(), 'it is given time').toHaveLength(3)
          await morning()
          expect(arrived()).toEqual(isLater ? everybody : others)
          expect(warned).toHaveLength(1)
        },
      )

      test.each([
        ['refused', 'EAUTH 535'],
        ['refused', 'ETLS'],
        ['unreachable', 'ECONNECTION'],
        ['timed-out', 'ETIMEDOUT'],
      ] as const)('because of the server (%s %s), the round ends, and all get theirs later', async (kind, detail) => {
        manner = () => ({ ok: false, kind, detail })
        const one = await instance()
        await one.run()
        expect(warned).toEqual([{ mail: 'digest', kind, detail }])
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

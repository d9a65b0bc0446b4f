import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Count, interestQuerySchema } from '@/lib/contract/interest'
import type { AskedQuestion } from '@/lib/contract/lead'
import type { TopicFigures } from '@/lib/contract/topics'
import { sizeOf } from '@/lib/interest/axis'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import { declaration, question } from '@/lib/leads/testing/leads'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, allow } from '@/server/access/viewer'
import { protectPerson } from '@/server/privacy/protect'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { topicFigures } from './topic-figures'

const desk = await openRightsDesk()
const { parts } = desk
const reader = async (id: string, role: 'admin' | 'manager' | 'staff', schools: 'all' | string[]) =>
  allow(await desk.person(id, role, schools), 'interest:read')
const boss = await reader('boss', 'manager', 'all')
const admin = await reader('admin', 'admin', 'all')
const [part, sara] = [await reader('part', 'manager', ['norra']), await reader('sara', 'staff', ['norra'])]
const anna = await desk.person('anna', 'admin', 'all')
beforeEach(() => {
  desk.time.ms = Date.UTC(2026, 10, 20, 8)
  desk.setDeclarations([])
  desk.setQuestions([])
})
afterAll(() => desk.close())

const ask = (viewer: Allowed<'interest:read'>, query: object = {}) =>
  topicFigures(parts, viewer, interestQuerySchema.parse(query))
const TEXTS = ['Får man busskort?', 'Buss till öppet hus?', 'Hur är maten?', 'Hej?', 'Antagningspoäng?']
const about = (text: string, count: number, fields: Parameters<typeof question>[1] = {}) =>
  Array.from({ length: count }, (_, at) =>
    question(`${text} ${fields.school} ${fields.createdAt} ${at}`, {
      email: `p${at}@example.se`,
      createdAt: '2026-11-10T07:00:00Z',
      text,
      ...fields,
    }),
  )
const topic = (figures: TopicFigures | undefined, id: string) => figures?.topics.find((one) => one.id === id)

const expected = (count: Count): Count => {
  const exact = Number(count)
  return exact > 0 && exact < 5 ? '<5' : 5 * Math.floor((exact + 2) / 5)
}

const sumOf = ({ topics }: TopicFigures) => topics.reduce((sum, { questions }) => sum + sizeOf(questions), 0)

/** All that a manager can choose. */
const someQuery = fc
  .record({ school: fc.constantFrom(undefined, 'norra', 'sodra', 'ostra'), cohort: fc.constantFrom(2026, 2027) })
  .map(({ school, cohort }) => ({ cohort, ...(school !== undefined && { school: [school] }) }))
const someQuestions = arbitraryLeadsOf({ declarations: 0, questions: 250, people: 60 }).map(({ questions }) =>
  questions.map((one, at): AskedQuestion => ({ ...one, question: TEXTS[at % TEXTS.length] ?? '' })),
)

test('whatever managers ask, all they get follows from rounded counts of whole weeks', async () => {
  await fc.assert(
    fc.asyncProperty(
      someQuestions,
      fc.constantFrom([boss, admin] as const, [part, sara] as const),
      someQuery,
      async (questions, [manager, exact], query) => {
        desk.setQuestions(questions)
        const numbers = await ask(manager, query)
        const { from, to, lastYear } = numbers
        const weekdays = [from, to, lastYear.from, lastYear.to].map((day) => day && new Date(day).getUTCDay())
        expect(weekdays).toEqual([from && 1, 0, from && 1, 0])
        expect([to, lastYear.to].filter((day) => (day ?? '') >= '2026-11-16')).toEqual([])
        const isEmpty = from !== null && to !== null && from > to
        const exactly = ({ from: first, to: last }: typeof lastYear) =>
          ask(exact, { ...query, ...(first !== null && { from: first }), ...(last !== null && { to: last }) })
        const [whole, before] = [await exactly(numbers), await exactly(lastYear)]
        const inScope = questions.filter(({ highSchoolId }) => manager !== part || highSchoolId === 'norra')
        const first = Math.min(...inScope.map(({ createdAt }) => epochDay(stockholmDay(Date.parse(createdAt)))))
        const isSeen = lastYear.from === null || first <= epochDay(lastYear.from) + 30
        const expectedTopics = whole.topics.map(({ id, name, questions: count, weeks, bySchool }, at) => {
          const [now, then] = [expected(count), expected(before.topics[at]?.questions ?? 0)]
          const isEnough = Math.min(sizeOf(now), sizeOf(then)) >= 25
          const change = isEnough && isSeen ? Math.round((sizeOf(now) / sizeOf(then) - 1) * 100) / 100 : null
          const schools = bySchool.map((one) => ({ ...one, questions: expected(one.questions) }))
          const most = schools.toSorted(
            (a, b) => sizeOf(b.questions) - sizeOf(a.questions) || (a.highSchoolId < b.highSchoolId ? -1 : 1),
          )
          return { id, name, questions: now, lastYear: then, change, weeks: weeks.map(expected), bySchool: most }
        })
        expect(isEmpty || numbers.topics).toEqual(isEmpty || expectedTopics)
        expect(isEmpty ? sumOf(numbers) : 0).toBe(0)
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)

describe('subtraction and repeated requests', () => {
  test('one question more is not told by the schools’ order, the share or the weeks', async () => {
    const base = [...about('Busskort?', 41, { school: 'norra' }), ...about('Busskort?', 42, { school: 'sodra' })]
    const lastYear = about('Busskort?', 40, { createdAt: '2025-11-11T09:00:00Z' })
    desk.setQuestions([...base, ...lastYear])
    const before = await ask(boss)
    desk.setQuestions([
      ...base,
      ...lastYear,
      question('one', { text: 'Busskort?', school: 'norra', createdAt: '2026-11-10T09:00:00Z' }),
    ])
    expect(await ask(boss)).toEqual(before)
    expect((await ask(admin)).topics).not.toEqual(before.topics)
  })

  test('a question is in no answer until its week has ended, so that no step says when or what somebody asked', async () => {
    const base = about('Busskort?', 42)
    const answers: string[] = []
    const choices = [{}, { cohort: 2026 }, { school: ['norra'] }]
    for (const count of [0, 1, 2, 3, 20]) {
      desk.setQuestions([...base, ...about('Min son har autism', count, { createdAt: '2026-11-20T07:00:00Z' })])
      answers.push(JSON.stringify(await Promise.all(choices.map((choice) => ask(boss, choice)))))
    }
    expect(new Set(answers)).toHaveLength(1)
    expect(topic(await ask(admin), 'support')).toMatchObject({ questions: 20 })
    desk.time.ms += 3 * 86_400_000
    expect(topic(await ask(boss), 'support')).toMatchObject({ questions: 20 })
  })

  test('a year that was not seen from its beginning is none to compare with', async () => {
    const changeSince = async (first: string) => {
      const questions = [...about('Busskort?', 40), ...about('Busskort?', 30, { createdAt: '2025-11-11T09:00:00Z' })]
      desk.setQuestions([...questions, ...about('Hej?', 1, { createdAt: first })])
      return topic(await ask(boss), 'transport')?.change
    }
    expect(await changeSince('2025-11-10T09:00:00Z')).toBeNull()
    expect(await changeSince('2025-10-01T09:00:00Z')).toBe(0.33)
  })

  test('nobody counts schools out of scope, nor what is hidden from them', async () => {
    desk.setQuestions([...about('Busskort?', 30, { school: 'sodra' }), ...about('Busskort?', 3, { school: 'norra' })])
    expect(topic(await ask(sara), 'transport')).toMatchObject({ questions: 3, bySchool: [{ highSchoolId: 'norra' }] })
    expect(topic(await ask(sara, { school: ['sodra'] }), 'transport')).toMatchObject({ questions: 0, bySchool: [] })
    const person = declaration('d', { email: 'p0@example.se' })
    desk.setDeclarations([person])
    const contact = parts.contactIds.of('declaration-of-interest', person)
    const given = { contact, emails: ['p0@example.se'], phones: [], people: ['anna'], reason: 'Beslut' }
    await protectPerson(parts, allow(anna, 'admin'), given)
    expect(topic(await ask(sara), 'transport')).toMatchObject({ questions: 2 })
  })
})

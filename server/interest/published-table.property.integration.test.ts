import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type InterestQuery, interestQuerySchema } from '@/lib/contract/interest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { comparablePhone } from '@/lib/contacts/contact-key'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import { question } from '@/lib/leads/testing/leads'
import { leadKey } from '@/lib/leads/lead-key'
import { type Allowed, allow } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import type { Protection, ProtectionList } from '@/server/leads/protection-list'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { createInterestCache } from './interest-cache'
import { getInterest, interestPage } from './interest'
import { topicFigures } from './topic-figures'

type Reader = Allowed<'interest:read'>

const desk = await openRightsDesk()
const SCHOOLS = ['norra', 'sodra', 'ostra']
const reader = async (id: string, schools: 'all' | string[]) =>
  allow(await desk.person(id, 'manager', schools), 'interest:read')
const managers = [await reader('boss', 'all'), await reader('head', ['norra', 'sodra']), await reader('one', ['ostra'])]
const admin = allow(await desk.person('admin', 'admin', 'all'), 'interest:read')
afterAll(() => desk.close())

let protections: ProtectionList = { all: [], fingerprint: '' }
const parts = () => ({
  ...desk.parts,
  interest: createInterestCache(),
  protections: { ...desk.parts.protections, current: async () => protections },
})

/** Everything that a manager can ask for: one school or all, and a year. */
const CHOICES = [undefined, ...SCHOOLS].flatMap((school) =>
  [2026, 2027].map((cohort): InterestQuery => ({ cohort, ...(school !== undefined && { school: [school] }) })),
)

async function everyAnswer(manager: Reader): Promise<unknown[]> {
  const own = parts()
  const answers: unknown[] = []
  for (const query of CHOICES)
    for (const verb of [getInterest, interestPage, topicFigures]) answers.push(await verb(own, manager, query))
  return JSON.parse(JSON.stringify(answers)) as unknown[]
}

type Leads = { declarations: DeclarationOfInterest[]; questions: AskedQuestion[] }
const TEXTS = ['Får man busskort?', 'Hur är maten?', 'Min son har autism', 'Hej?']
const someLeads = arbitraryLeadsOf({ declarations: 120, questions: 80, people: 12 }).map(
  ({ declarations, questions }): Leads => ({
    declarations,
    questions: questions.map((one, at) => ({ ...one, question: TEXTS[at % TEXTS.length] ?? '' })),
  }),
)

function setLeads({ declarations, questions }: Leads): void {
  desk.setDeclarations(declarations)
  desk.setQuestions(questions)
}

const contactOf = (lead: DeclarationOfInterest | AskedQuestion) => ('user' in lead ? lead.user : lead.sender)

/** By an address, a phone and one lead of their own, for no user or for a manager too. */
const somePerson = fc.record({
  person: fc.nat({ max: 12 }),
  lead: fc.nat({ max: 119 }),
  allowed: fc.constantFrom([], ['boss'], ['boss', 'head', 'one']),
})

test('who is protected is in no number of a manager: they are those of the lists without that person', async () => {
  let changed = 0
  await fc.assert(
    fc.asyncProperty(someLeads, somePerson, fc.constantFrom(...managers), async (leads, protectedOne, manager) => {
      const { person, lead, allowed } = protectedOne
      const [email, phone] = [`p${person}@example.org`, comparablePhone(`+46701740${person + 600}`) ?? '']
      const key = leadKey({ kind: 'declaration-of-interest', id: `d${lead}` })
      const one: Protection = {
        id: 'p',
        emails: new Set([email]),
        phones: new Set([phone]),
        leads: new Set([key]),
        allowed: new Set(allowed),
        people: [],
      }
      const isTheirs = (some: DeclarationOfInterest | AskedQuestion) =>
        contactOf(some).email === email ||
        comparablePhone(contactOf(some).phone) === phone ||
        ('user' in some && some.id === `d${lead}`)
      const rest: Leads = {
        declarations: leads.declarations.filter((some) => !isTheirs(some)),
        questions: leads.questions.filter((some) => !isTheirs(some)),
      }
      protections = { all: [], fingerprint: '' }
      setLeads(leads)
      const all = JSON.stringify(await everyAnswer(manager))
      protections = { all: [one], fingerprint: 'p' }
      const hidden = await everyAnswer(manager)
      protections = { all: [], fingerprint: '' }
      setLeads(rest)
      expect(hidden).toEqual(await everyAnswer(manager))
      if (JSON.stringify(hidden) !== all) changed += 1
    }),
    { numRuns: 10 },
  )
  expect(changed).toBeGreaterThan(0)
}, 120_000)

test('a protected question is in no topic and in no number of questions', async () => {
  const createdAt = '2026-11-10T09:00:00Z'
  const others = Array.from({ length: 7 }, (_, at) => question(`q${at}`, { email: `o${at}@example.org`, createdAt }))
  setLeads({ declarations: [], questions: [...others, question('secret', { email: 'secret@example.org', createdAt })] })
  const one = { id: 'p', phones: new Set<string>(), leads: new Set<string>(), allowed: new Set<string>(), people: [] }
  protections = { all: [{ ...one, emails: new Set(['secret@example.org']) }], fingerprint: 'secret' }
  const [boss = admin] = managers
  const { weeks } = await getInterest(parts(), boss, {})
  const { topics } = await topicFigures(parts(), boss, {})
  const { board } = await interestPage(parts(), boss, {})
  expect([weeks.at(-1)?.questions, board.all.waiting]).toEqual([5, 5])
  expect(topics.filter(({ questions }) => questions !== 0).map(({ questions }) => questions)).toEqual([5])
  protections = { all: [], fingerprint: '' }
  expect((await getInterest(parts(), boss, {})).weeks.at(-1)?.questions, 'and eight are ten').toBe(10)
})

test('each number is rounded once: of a school alone it is the one that stands beside the others', async () => {
  await fc.assert(
    fc.asyncProperty(someLeads, fc.constantFrom(2026, 2027), async (leads, cohort) => {
      setLeads(leads)
      const own = parts()
      const [boss = admin] = managers
      const [whole, page, topics] = await Promise.all([
        getInterest(own, boss, { cohort }),
        interestPage(own, boss, { cohort }),
        topicFigures(own, boss, { cohort }),
      ])
      for (const id of SCHOOLS) {
        const query = { cohort, school: [id] }
        const alone = await getInterest(own, boss, query)
        expect(alone.byYearAndSchool).toEqual(whole.byYearAndSchool.filter(({ highSchoolId }) => highSchoolId === id))
        expect(alone.answers.bySchool).toEqual(whole.answers.bySchool.filter(({ highSchoolId }) => highSchoolId === id))
        const { school, ...row } = page.board.schools.find((one) => one.school.id === id) ?? { school: null }
        const ofSchool = await interestPage(own, boss, query)
        expect(school === null || ofSchool.board.all).toEqual(school === null || row)
        const about = await topicFigures(own, boss, query)
        const counts = topics.topics.map(
          ({ bySchool }) => bySchool.find((one) => one.highSchoolId === id)?.questions ?? 0,
        )
        expect(about.topics.map(({ questions }) => questions)).toEqual(counts)
        // Other years differ in what is compared, in no number of what came.
        const { byYearAndSchool, weeks, curves, handled } = await getInterest(own, boss, {
          ...query,
          cohort: cohort + 1,
        })
        expect({ byYearAndSchool, weeks, curves, handled }).toEqual({
          byYearAndSchool: alone.byYearAndSchool,
          weeks: alone.weeks,
          curves: alone.curves,
          handled: alone.handled,
        })
      }
    }),
    { numRuns: 10 },
  )
}, 60_000)

/** Which question is refused, by the parameter that is named. */
async function refused(viewer: Reader, query: object): Promise<string[]> {
  const asked = interestQuerySchema.parse(query)
  const answers = [getInterest, topicFigures].map((verb) =>
    verb(parts(), viewer, asked).then(
      () => 'answered',
      (error: unknown) => (error instanceof InvalidInputError ? error.field : String(error)),
    ),
  )
  return Promise.all(answers)
}

test('no pair of weeks can be asked for: the differences of 351 rounded periods named 651 of 676 numbers', async () => {
  const monday = (week: number) => new Date(Date.UTC(2026, 5, 1 + 7 * week)).toISOString().slice(0, 10)
  const [boss = admin] = managers
  for (let first = 0; first < 26; first++)
    for (let last = first; last < 26; last += 9) {
      const period = { from: monday(first), to: monday(last + 1) }
      expect(await refused(boss, period)).toEqual(['from', 'from'])
    }
  expect(await refused(boss, { to: monday(4) })).toEqual(['to', 'to'])
  expect(await refused(admin, { from: monday(0), to: monday(4) })).toEqual(['answered', 'answered'])
})

test('no sum of some schools can be asked for: the 31 choices of five named 76 of 122 small numbers', async () => {
  const five = ['a', 'b', 'c', 'd', 'e']
  const choices = Array.from({ length: 31 }, (_, bits) => five.filter((_school, at) => ((bits + 1) >> at) & 1))
  const [boss = admin] = managers
  const answers = await Promise.all(choices.map((school) => refused(boss, { school })))
  for (const [at, school] of choices.entries())
    expect(answers[at]).toEqual(school.length === 1 ? ['answered', 'answered'] : ['school', 'school'])
  expect(await refused(admin, { school: five })).toEqual(['answered', 'answered'])
})

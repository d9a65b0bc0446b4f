import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { InterestQuery } from '@/lib/contract/interest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { comparablePhone } from '@/lib/contacts/contact-key'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import { leadKey } from '@/lib/leads/lead-key'
import { type Allowed, allow } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import type { Protection, ProtectionList } from '@/server/leads/protection-list'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { testServices } from '@/server/testing/services'
import { getInterest, interestPage } from './interest'
import { createInterestNumbers } from './numbers'

type Reader = Allowed<'interest:read'>

const desk = await openRightsDesk()
const SCHOOLS = ['norra', 'sodra', 'ostra']
const reader = async (id: string, schools: 'all' | string[]) =>
  allow(await desk.person(id, 'manager', schools), 'interest:read')
const managers = [await reader('boss', 'all'), await reader('head', ['norra', 'sodra']), await reader('one', ['ostra'])]
const admin = allow(await desk.person('admin', 'admin', 'all'), 'interest:read')
afterAll(() => desk.close())

let protections: ProtectionList = { all: [], fingerprint: '' }
const parts = () =>
  testServices({
    ...desk.parts,
    interest: createInterestNumbers(),
    protections: { current: async () => protections },
  })

/** Everything that a manager can ask for: one school or all, and a year. */
const CHOICES = [undefined, ...SCHOOLS].flatMap((school) =>
  [2026, 2027].map((cohort): InterestQuery => ({ cohort, ...(school !== undefined && { school: [school] }) })),
)

async function everyAnswer(manager: Reader): Promise<unknown[]> {
  const own = parts()
  const answers: unknown[] = []
  for (const query of CHOICES)
    for (const verb of [getInterest, interestPage]) answers.push(await verb(own, manager, query))
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

test('each number is rounded once: of a school alone it is the one that stands beside the others', async () => {
  await fc.assert(
    fc.asyncProperty(someLeads, fc.constantFrom(2026, 2027), async (leads, cohort) => {
      setLeads(leads)
      const own = parts()
      const [boss = admin] = managers
      const [whole, page] = [await getInterest(own, boss, { cohort }), await interestPage(own, boss, { cohort })]
      for (const id of SCHOOLS) {
        const query = { cohort, school: [id] }
        const alone = await getInterest(own, boss, query)
        expect(alone.byYearAndSchool).toEqual(whole.byYearAndSchool.filter(({ highSchoolId }) => highSchoolId === id))
        const { school, ...row } = page.board.schools.find((one) => one.school.id === id) ?? { school: null }
        const ofSchool = await interestPage(own, boss, query)
        expect(school === null || ofSchool.board.all).toEqual(school === null || row)
        const counts = page.topics.topics.map(
          ({ bySchool }) => bySchool.find((one) => one.highSchoolId === id)?.questions ?? 0,
        )
        expect(ofSchool.topics.topics.map(({ questions }) => questions)).toEqual(counts)
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

test('no sum of some schools can be asked for: the 31 choices of five named 76 of 122 small numbers', async () => {
  const five = ['a', 'b', 'c', 'd', 'e']
  const choices = Array.from({ length: 31 }, (_, bits) => five.filter((_school, at) => ((bits + 1) >> at) & 1))
  const [boss = admin] = managers
  const answerTo = (viewer: Reader, school: string[]) =>
    Promise.all(
      [getInterest, interestPage].map((verb) =>
        verb(parts(), viewer, { school }).then(
          () => 'answered',
          (error: unknown) => (error instanceof InvalidInputError ? error.field : String(error)),
        ),
      ),
    )
  for (const school of choices)
    expect(await answerTo(boss, school)).toEqual(school.length === 1 ? ['answered', 'answered'] : ['school', 'school'])
  expect(await answerTo(admin, five)).toEqual(['answered', 'answered'])
})

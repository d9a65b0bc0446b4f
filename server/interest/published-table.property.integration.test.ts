import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { comparablePhone } from '@/lib/contacts/contact-key'
import type { InterestQuery } from '@/lib/contract/interest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { arbitraryLeadsOf } from '@/lib/interest/testing/arbitrary-leads'
import { leadKey } from '@/lib/leads/lead-key'
import { type Allowed, requirePermission } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import type { ProtectionList } from '@/server/leads/protection-list'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { testServices } from '@/server/testing/services'
import { getInterest, getInterestPage } from './interest'
import { createInterestCaches } from './interest-numbers'

type Reader = Allowed<'interest:read'>

const desk = await openRightsDesk()
const SCHOOLS = ['norra', 'sodra', 'ostra']
const reader = async (id: string, schools: 'all' | string[]) =>
  requirePermission(await desk.person(id, 'manager', schools), 'interest:read')
const boss = await reader('boss', 'all')
const managers = [boss, await reader('head', ['norra', 'sodra']), await reader('one', ['ostra'])]
const admin = requirePermission(await desk.person('admin', 'admin', 'all'), 'interest:read')
afterAll(() => desk.close())

const NOBODY: ProtectionList = { protections: [], fingerprint: '' }
let protections = NOBODY
const parts = () => {
  const own = { interest: createInterestCaches(), protections: { getList: async () => protections } }
  return testServices({ ...desk.parts, ...own })
}

/** Everything that a manager can ask for: one school or all, and a year. */
const CHOICES = [undefined, ...SCHOOLS].flatMap((school) =>
  [2026, 2027].map((cohort): InterestQuery => ({ cohort, ...(school !== undefined && { school: [school] }) })),
)

async function everyAnswer(manager: Reader): Promise<unknown[]> {
  const own = parts()
  const answers: unknown[] = []
  for (const query of CHOICES)
    for (const verb of [getInterest, getInterestPage]) answers.push(await verb(own, manager, query))
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
    fc.asyncProperty(someLeads, somePerson, fc.constantFrom(...managers), async (leads, one, manager) => {
      const email = `p${one.person}@example.org`
      const phone = comparablePhone(`+46701740${one.person + 600}`) ?? ''
      const key = leadKey({ kind: 'declaration-of-interest', id: `d${one.lead}` })
      const person = { emails: new Set([email]), phones: new Set([phone]), leadKeys: new Set([key]) }
      const hiding = {
        protections: [{ id: 'p', ...person, allowedUserIds: new Set(one.allowed), allowedReaders: [] }],
        fingerprint: 'p',
      }
      const isOther = (lead: DeclarationOfInterest | AskedQuestion) =>
        contactOf(lead).email !== email &&
        comparablePhone(contactOf(lead).phone) !== phone &&
        !('user' in lead && lead.id === `d${one.lead}`)
      const rest = { declarations: leads.declarations.filter(isOther), questions: leads.questions.filter(isOther) }
      const answers = async (list: ProtectionList, sent: Leads) => {
        protections = list
        setLeads(sent)
        return await everyAnswer(manager)
      }
      const hidden = await answers(hiding, leads)
      expect(hidden).toEqual(await answers(NOBODY, rest))
      if (JSON.stringify(hidden) !== JSON.stringify(await answers(NOBODY, leads))) changed += 1
      protections = NOBODY
    }),
    { numRuns: 10 },
  )
  expect(changed).toBeGreaterThan(0)
}, 120_000)

test('each number is rounded once: of a school alone it is the one that stands beside the others, in every year', async () => {
  await fc.assert(
    fc.asyncProperty(someLeads, fc.constantFrom(...SCHOOLS), async (leads, id) => {
      setLeads(leads)
      const own = parts()
      const alone = { school: [id], cohort: 2026 }
      const page = await getInterestPage(own, boss, { cohort: 2026 })
      const ofSchool = await getInterestPage(own, boss, alone)
      const beside = page.board.schools.filter(({ school }) => school.id === id)
      expect(beside).toEqual(beside.map(({ school }) => ({ school, ...ofSchool.board.all })))
      const countsBeside = page.topics.topics.map(
        ({ bySchool }) => bySchool.find(({ highSchoolId }) => highSchoolId === id)?.questions ?? 0,
      )
      expect(ofSchool.topics.topics.map(({ questions }) => questions)).toEqual(countsBeside)
      // Other years differ in what is compared, in no number of what came.
      const numbers = await getInterest(own, boss, alone)
      expect(await getInterest(own, boss, { ...alone, cohort: 2027 })).toEqual({ ...numbers, cohort: 2027 })
    }),
    { numRuns: 20 },
  )
}, 60_000)

test('a manager can ask for no sum of some schools: the choices of five named 76 of 122 small numbers', async () => {
  const two = { school: ['norra', 'sodra'] }
  for (const verb of [getInterest, getInterestPage]) {
    await expect(verb(parts(), boss, two)).rejects.toThrow(InvalidInputError)
    await expect(verb(parts(), admin, two)).resolves.toBeDefined()
  }
})

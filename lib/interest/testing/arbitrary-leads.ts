import fc from 'fast-check'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { declaration, question } from '@/lib/leads/testing/leads'

const SCHOOLS = ['norra', 'sodra', 'ostra']
const FIRST_MS = Date.UTC(2025, 8, 1)
const LAST_MS = Date.UTC(2027, 3, 30)

/** Leads to few schools, over clock changes, some without e-mail, phone or year, and several of one person. */
export function arbitraryLeadsOf(max: { declarations: number; questions: number; people: number }) {
  const person = fc.integer({ min: 0, max: max.people })
  const lead = {
    school: fc.constantFrom(...SCHOOLS),
    createdAt: fc.integer({ min: FIRST_MS, max: LAST_MS }).map((ms) => new Date(ms).toISOString()),
    email: fc.option(person.map((index) => `p${index}@example.org`)),
    phone: fc.option(person.map((index) => `+46701740${String(index + 600)}`)),
  }
  const year = fc.option(fc.constantFrom(2025, 2026, 2027, 2028, 20_027, -5))
  const mode = fc.constantFrom('email', 'phone', 'fax')
  return fc.record({
    declarations: fc
      .array(fc.record({ ...lead, highSchoolEnrollmentYear: year }), { maxLength: max.declarations })
      .map((all) => all.map((fields, index): DeclarationOfInterest => declaration(`d${index}`, fields))),
    questions: fc
      .array(fc.record({ ...lead, mode }), { maxLength: max.questions })
      .map((all) => all.map((fields, index): AskedQuestion => question(`q${index}`, fields))),
  })
}

export const arbitraryLeads = arbitraryLeadsOf({ declarations: 40, questions: 20, people: 12 })

export const arbitraryReach = fc.oneof(
  fc.constant('all' as const),
  fc.subarray(SCHOOLS).map((ids): ReadonlySet<string> => new Set(ids)),
)

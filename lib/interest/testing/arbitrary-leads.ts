import fc from 'fast-check'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'

const SCHOOLS = ['norra', 'sodra', 'ostra']
const FIRST = Date.UTC(2025, 8, 1)
const LAST = Date.UTC(2027, 3, 30)

const createdAt = fc.integer({ min: FIRST, max: LAST }).map((ms) => new Date(ms).toISOString())
const highSchoolId = fc.constantFrom(...SCHOOLS)
/** Few, so that people meet in one and part in the other. */
const email = fc.option(fc.integer({ min: 0, max: 12 }).map((index) => `p${index}@example.org`))
const phone = fc.option(fc.integer({ min: 0, max: 12 }).map((index) => `+46701740${String(index + 600)}`))
const year = fc.option(fc.constantFrom(2025, 2026, 2027, 2028, 20_027, -5))

/** Leads of few schools and people, some without e-mail, phone or year, around several clock changes. */
export const arbitraryLeads = fc.record({
  declarations: fc.array(fc.record({ highSchoolId, createdAt, email, phone, year }), { maxLength: 40 }).map((all) =>
    all.map(
      ({ email: mail, phone: number, year: highSchoolEnrollmentYear, ...rest }, index): DeclarationOfInterest => ({
        id: `d${index}`,
        ...rest,
        user: { firstName: 'A', lastName: 'B', email: mail, phone: number, highSchoolEnrollmentYear },
      }),
    ),
  ),
  questions: fc
    .array(fc.record({ highSchoolId, createdAt, email, phone, mode: fc.constantFrom('email', 'phone', 'fax') }), {
      maxLength: 20,
    })
    .map((all) =>
      all.map(({ email: mail, phone: number, mode, ...rest }, index): AskedQuestion => ({
        id: `q${index}`,
        ...rest,
        highSchoolName: rest.highSchoolId,
        question: '?',
        sender: { mode, phone: number, email: mail },
      })),
    ),
})

export const arbitraryReach = fc.oneof(
  fc.constant('all' as const),
  fc.subarray(SCHOOLS).map((ids): ReadonlySet<string> => new Set(ids)),
)
export const arbitraryChoice = fc.option(fc.subarray(SCHOOLS).map((ids): ReadonlySet<string> => new Set(ids)))

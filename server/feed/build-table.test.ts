import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { leadTableOf, searchedIn } from '@/lib/leads/testing/lead-table-of'
import { declaration, question } from '@/lib/leads/testing/leads'
import { builtTableOf } from '@/server/feed/testing/built-table'

const asa = { firstName: 'Åsa', lastName: 'Öberg', phone: '070-123 45 67' }
const at = (createdAt: string) => (id: string) => declaration(id, { createdAt, school: `school-of-${id}` })

test('the columns of a declaration', () => {
  const years = [2027, null, 1e12, -1e12]
  const table = builtTableOf(
    'declaration-of-interest',
    years.map((highSchoolEnrollmentYear, index) => declaration(`${index}`, { ...asa, highSchoolEnrollmentYear })),
  )
  expect([...table.year]).toEqual([2027, NO_YEAR, 2_147_483_647, NO_YEAR + 1])
  expect(searchedIn(table)[0]?.text).toBe('asa oberg 46701234567 0701234567')
  expect(table.sortName[0]).toBe('\u{e000}sa \u{e002}berg')
  expect([table.modes, [...table.mode]]).toEqual([[''], [0, 0, 0, 0]])
})

test('any leads in any order: sorted, each id once, found by its id', () => {
  const anyLead = fc
    .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 28 }))
    .map(([id, day]) => at(`2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z`)(`${id}`))
  fc.assert(
    fc.property(fc.array(anyLead, { maxLength: 300, size: 'max' }), (leads) => {
      const firsts = leads.filter(({ id }, index) => leads.findIndex((lead) => lead.id === id) === index)
      const expected = firsts.toSorted(
        (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? -1 : 1),
      )
      const table = builtTableOf('declaration-of-interest', leads)
      expect(table.id).toEqual(expected.map(({ id }) => id))
      expect(table.id.map((id) => table.lead(table.rowOf(id)))).toEqual(expected)
    }),
  )
})

const anyText = fc.option(
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aåÅÄöéüßøæ½µ´¨ \t\n\u00a0\u00ad-–\u030a\u0301😀ﬁA1@.+;"'), maxLength: 8 }),
    fc.string({ unit: 'binary' }),
  ),
)
const anyPhone = fc.option(fc.constantFrom('070-123 45 67', '+46701234567', '0046 8 123', 'ring mig', ''))
const anyId = fc.constantFrom('a', 'b', 'B', 'c', 'å', '__proto__')
const anySchool = fc.constantFrom('norra', 'södra', 'västra')
const anyMoment = fc.constantFrom('2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000+01:00', '2026-11-21T08:00:00Z')

test('any questions: the columns equal those of a plainly built table', () => {
  const anyLead = fc.record({
    id: anyId,
    highSchoolId: anySchool,
    highSchoolName: fc.constant('Norra'),
    createdAt: anyMoment,
    question: fc.string({ unit: 'binary', maxLength: 20 }),
    sender: fc.record({ mode: fc.constantFrom('email', 'phone', 'pigeon'), phone: anyPhone, email: anyText }),
  })
  fc.assert(
    fc.property(fc.array(anyLead, { maxLength: 12 }), (leads) => {
      expect(contentOf(builtTableOf('asked-question', leads))).toEqual(contentOf(leadTableOf('asked-question', leads)))
    }),
    { numRuns: 500 },
  )
})

test('any declarations: likewise', () => {
  const anyLead = fc.record({
    id: anyId,
    highSchoolId: anySchool,
    createdAt: anyMoment,
    user: fc.record({
      firstName: anyText,
      lastName: anyText,
      email: anyText,
      phone: anyPhone,
      highSchoolEnrollmentYear: fc.option(fc.constantFrom(2026, 2027, 0, 1e12, -1e12)),
    }),
  })
  fc.assert(
    fc.property(fc.array(anyLead, { maxLength: 12 }), (leads) => {
      expect(contentOf(builtTableOf('declaration-of-interest', leads))).toEqual(
        contentOf(leadTableOf('declaration-of-interest', leads)),
      )
    }),
    { numRuns: 500 },
  )
})

test('a text longer than any before is found whole', () => {
  const long = [question('1', { text: 'Hej på er! '.repeat(50_000) })]
  expect(contentOf(builtTableOf('asked-question', long))).toEqual(contentOf(leadTableOf('asked-question', long)))
})

/** Everything in a table, with the texts in place of their numbers: numbering may differ. */
function contentOf({ school, schoolIds, mode, modes, text, texts, lead, rowOf, id, ...columns }: LeadTable) {
  const rows = id.map((leadId, row) => ({
    id: leadId,
    school: schoolIds[school[row] ?? -1],
    mode: modes[mode[row] ?? -1],
    lead: lead(row),
    row: rowOf(leadId),
  }))
  return { ...columns, rows, searched: searchedIn({ text, texts }), absent: rowOf('absent') }
}

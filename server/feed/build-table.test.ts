import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf, searchedIn } from '@/lib/leads/testing/lead-table-of'
import { builtTableOf } from '@/server/feed/testing/built-table'

const anyText = fc.option(
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aåÅÄöéüßøæ½µ´¨ \t\n\u00a0\u00ad-–\u030a\u0301😀ﬁA1@.+;"'), maxLength: 8 }),
    fc.string({ unit: 'binary' }),
  ),
)
const anyPhone = fc.option(fc.constantFrom('070-123 45 67', '+46701234567', '0046 8 123', 'ring mig', ''))
const anyRecord = {
  id: fc.constantFrom('a', 'b', 'B', 'c', 'å', '__proto__'),
  highSchoolId: fc.constantFrom('norra', 'södra', 'västra'),
  createdAt: fc.constantFrom('2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000+01:00', '2026-11-21T08:00:00Z'),
}

test('the columns of any declarations equal those of a plainly built table, as `ingest.property.test.ts` shows of questions', () => {
  const kind = 'declaration-of-interest'
  const user = { firstName: anyText, lastName: anyText, email: anyText, phone: anyPhone }
  const highSchoolEnrollmentYear = fc.option(fc.constantFrom(2026, 2027, 0, 1e12, -1e12))
  const anyLead = fc.record({ ...anyRecord, user: fc.record({ ...user, highSchoolEnrollmentYear }) })
  fc.assert(
    fc.property(fc.array(anyLead, { maxLength: 12 }), (leads) => {
      expect(contentOf(builtTableOf(kind, leads))).toEqual(contentOf(leadTableOf(kind, leads)))
    }),
    { numRuns: 500 },
  )
})

/** Everything in a table, with the texts in place of their numbers: numbering may differ. */
function contentOf({ school, schoolIds, mode, modes, textIndex, texts, getLead, findRow, id, ...columns }: LeadTable) {
  const rows = id.map((leadId, row) => ({
    id: leadId,
    school: schoolIds[school[row] ?? -1],
    mode: modes[mode[row] ?? -1],
    lead: getLead(row),
    row: findRow(leadId),
  }))
  return { ...columns, rows, searched: searchedIn({ textIndex, texts }), absent: findRow('absent') }
}

import { expect, test } from 'vitest'
import { type LeadFilter, sortSchema } from '@/lib/contract/list-query'
import { hideProtected, type LeadTable } from './lead-table'
import { selectPage } from './select-page'
import { selectRows } from './select-rows'
import { leadTableOf } from './testing/lead-table-of'
import { declaration, unrestrictedContext } from './testing/leads'

const kind = 'declaration-of-interest'
const nobody = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: null }
const leads = [
  { firstName: 'Maja', lastName: 'Ek', email: 'maja@example.se', phone: '070-174 06 05' },
  { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.se', highSchoolEnrollmentYear: 2026 },
  { firstName: 'Bo', lastName: 'Alm', phone: '070-174 06 05', highSchoolEnrollmentYear: 2028 },
  { ...nobody, email: 'x@example.se' },
].map((person, at) => declaration(`d${at}`, { ...person, createdAt: `2026-11-${20 - at}T07:00:00.000Z` }))
const filters: LeadFilter[] = [{}, { q: 'maja' }, { q: 'asa' }, { q: 'åsa öberg' }, { q: '070-174' }, { year: [2027] }]

const found = (table: LeadTable, filter: LeadFilter) => selectRows(table, filter, unrestrictedContext)

test.each(leads.map(({ id }) => id))(
  'a reader who is not shown who %s is by finds and orders it as a lead without a person',
  (id) => {
    const table = leadTableOf(kind, leads)
    const row = table.findRow(id)
    const shown = hideProtected(table, { key: 'x', markByRow: new Map([[row, { isHidden: true, people: [] }]]) })
    const same = leadTableOf(
      kind,
      leads.map((lead) => (lead.id === id ? { ...lead, user: nobody } : lead)),
    )
    expect(shown.getLead(row)).toEqual(same.getLead(row))
    for (const filter of filters) expect(found(shown, filter), JSON.stringify(filter)).toEqual(found(same, filter))
    for (const sort of sortSchema.options) {
      const order = { sort, offset: 0, limit: 10, schoolSortKey: (school: string) => school }
      expect(selectPage(shown, found(shown, {}), order), sort).toEqual(selectPage(same, found(same, {}), order))
    }
    expect([shown.emailKey[row], shown.phoneKey[row]]).toEqual([same.emailKey[row], same.phoneKey[row]])
  },
)

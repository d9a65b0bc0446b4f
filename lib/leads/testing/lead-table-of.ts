import { emailKey, phoneKey } from '@/lib/contacts/contact-key'
import { phoneSearchText } from '@/lib/contacts/phone-search'
import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import { compareKeys, foldAccents, swedishSortKey } from '@/lib/leads/comparable-text'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { searchTextsOf } from './search-texts-of'

/**
 * The table of a few leads, put together the plainest way: what the fast one that the feed builds must equal. Of leads
 * with the same id the first stays.
 */
export function leadTableOf(kind: 'asked-question', leads: readonly AskedQuestion[]): LeadTable<AskedQuestion>
export function leadTableOf(
  kind: 'declaration-of-interest',
  leads: readonly DeclarationOfInterest[],
): LeadTable<DeclarationOfInterest>
export function leadTableOf(kind: LeadKind, leads: readonly Lead[]): LeadTable {
  const firsts = leads.filter(({ id }, at) => leads.findIndex((lead) => lead.id === id) === at)
  const rows = firsts.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || compareKeys(a.id, b.id))
  const rowOf = new Map(rows.map(({ id }, row) => [id, row]))
  const schoolIds = [...new Set(firsts.map(({ highSchoolId }) => highSchoolId))]
  const modes = [...new Set(firsts.map(modeOf))]
  return {
    kind,
    size: rows.length,
    createdAt: Float64Array.from(rows, ({ createdAt }) => Date.parse(createdAt)),
    id: rows.map(({ id }) => id),
    school: Uint32Array.from(rows, ({ highSchoolId }) => schoolIds.indexOf(highSchoolId)),
    schoolIds,
    year: Int32Array.from(rows, yearOf),
    mode: Uint32Array.from(rows, (lead) => modes.indexOf(modeOf(lead))),
    modes,
    emailKey: Float64Array.from(rows, (lead) => emailKey(personOf(lead).email)),
    phoneKey: Float64Array.from(rows, (lead) => phoneKey(personOf(lead).phone)),
    text: Uint32Array.from(rows.keys()),
    texts: searchTextsOf(rows.map((lead) => searchTextOf(personOf(lead)))),
    sortName: rows.map((lead) => swedishSortKey(personOf(lead).name)),
    lead(row) {
      const lead = rows[row]
      if (lead === undefined) throw new RangeError(`no lead at ${row}`)
      return lead
    },
    rowOf: (id) => rowOf.get(id) ?? -1,
  }
}

type Person = { name: string; email: string | null; phone: string | null; searched: (string | null)[] }

function personOf(lead: Lead): Person {
  if ('sender' in lead) {
    const { email, phone } = lead.sender
    return { name: email ?? phone ?? '', email, phone, searched: [email, lead.question] }
  }
  const { firstName, lastName, email, phone } = lead.user
  return { name: joined([firstName, lastName]), email, phone, searched: [firstName, lastName, email] }
}

function searchTextOf({ phone, searched }: Person): string {
  return joined([foldAccents(joined(searched)) || null, phone === null ? null : phoneSearchText(phone) || null])
}

function joined(texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null).join(' ')
}

function modeOf(lead: Lead): string {
  return 'sender' in lead ? lead.sender.mode : ''
}

/** Years that the column cannot hold stand at its ends. */
function yearOf(lead: Lead): number {
  const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : null
  return year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(2_147_483_647, year))
}

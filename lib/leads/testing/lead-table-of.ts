import { hashEmail, hashPhone } from '@/lib/contacts/contact-key'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/comparable-text'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { toPhoneSearchText } from '@/lib/leads/search-terms'
import { encodeUtf8, type SearchTexts } from '@/lib/leads/search-texts'
import { compareKeys, toSwedishSortKey } from '@/lib/leads/swedish-sort-key'

/** Makes a table in the plainest way, which the feed's fast one must equal. Of equal ids the first stays. */
export function leadTableOf<L extends Lead>(kind: LeadKind, leads: readonly L[]): LeadTable<L> {
  const firsts = leads.filter(({ id }, index) => leads.findIndex((lead) => lead.id === id) === index)
  const rows = firsts.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || compareKeys(a.id, b.id))
  const rowById = new Map(rows.map(({ id }, row) => [id, row]))
  const values = rows.map(readColumns)
  const schoolIds = [...new Set(firsts.map(({ highSchoolId }) => highSchoolId))]
  const modes = [...new Set(firsts.map((lead) => readColumns(lead).mode))]
  return {
    kind,
    size: rows.length,
    createdAt: Float64Array.from(rows, ({ createdAt }) => Date.parse(createdAt)),
    seenAt: Float64Array.from(rows, ({ createdAt }) => Date.parse(createdAt)),
    id: rows.map(({ id }) => id),
    schoolIndex: Uint32Array.from(rows, ({ highSchoolId }) => schoolIds.indexOf(highSchoolId)),
    schoolIds,
    year: Int32Array.from(values, ({ year }) =>
      year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(2_147_483_647, year)),
    ),
    modeIndex: Uint32Array.from(values, ({ mode }) => modes.indexOf(mode)),
    modes,
    emailKey: Float64Array.from(values, ({ email }) => hashEmail(email)),
    phoneKey: Float64Array.from(values, ({ phone }) => hashPhone(phone)),
    textIndex: Uint32Array.from(rows, (_, row) => row + 1),
    texts: searchTextsOf([
      '',
      ...values.map(({ searched, phone }) => join([foldText(searched), phone && toPhoneSearchText(phone)])),
    ]),
    sortName: values.map(({ name }) => toSwedishSortKey(name)),
    getLead(row) {
      const lead = rows[row]
      if (lead === undefined) throw new RangeError(`no lead at ${row}`)
      return lead
    },
    findRow: (id) => rowById.get(id) ?? -1,
  }
}

function readColumns(lead: Lead) {
  if ('sender' in lead) {
    const { mode, email, phone } = lead.sender
    return { mode, email, phone, year: null, name: email ?? phone ?? '', searched: join([email, lead.question]) }
  }
  const { firstName, lastName, email, phone, highSchoolEnrollmentYear: year } = lead.user
  const name = join([firstName, lastName])
  return { mode: '', email, phone, year, name, searched: join([firstName, lastName, email]) }
}

const join = (texts: readonly (string | null)[]) => texts.filter(Boolean).join(' ')

function searchTextsOf(folded: readonly string[]): SearchTexts {
  const pieces = folded.map((text) => [...encodeUtf8(text)])
  let end = 0
  const starts = Uint32Array.from([0, ...pieces.map(({ length }) => (end += length))])
  return { count: folded.length, starts, bytes: Uint8Array.from(pieces.flat()) }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function searchedIn({ textIndex, texts }: { textIndex: Uint32Array; texts: SearchTexts }): string[] {
  const { starts, bytes } = texts
  return Array.from(textIndex, (index) => decoder.decode(bytes.subarray(starts[index], starts[index + 1])))
}

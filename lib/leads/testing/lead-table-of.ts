import { hashEmail, hashPhone } from '@/lib/contacts/contact-key'
import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import { compareKeys, foldAccents, plainLetters, swedishSortKey } from '@/lib/leads/comparable-text'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import { encodeLetterMarks } from '@/lib/leads/letter-marks'
import { phoneSearchText } from '@/lib/leads/search-terms'
import { encodeUtf8, type SearchTexts } from '@/lib/leads/search-texts'

/** Makes a table in the plainest way, which the feed's fast one must equal. Of equal ids the first stays. */
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
    seenAt: Float64Array.from(rows, ({ createdAt }) => Date.parse(createdAt)),
    id: rows.map(({ id }) => id),
    school: Uint32Array.from(rows, ({ highSchoolId }) => schoolIds.indexOf(highSchoolId)),
    schoolIds,
    year: Int32Array.from(rows, yearOf),
    mode: Uint32Array.from(rows, (lead) => modes.indexOf(modeOf(lead))),
    modes,
    emailKey: Float64Array.from(rows, (lead) => hashEmail(personOf(lead).email)),
    phoneKey: Float64Array.from(rows, (lead) => hashPhone(personOf(lead).phone)),
    text: Uint32Array.from(rows, (_, row) => row + 1),
    texts: searchTextsOf(['', ...rows.map((lead) => searchTextOf(personOf(lead)))]),
    sortName: rows.map((lead) => swedishSortKey(personOf(lead).name)),
    getLead(row) {
      const lead = rows[row]
      if (lead === undefined) throw new RangeError(`no lead at ${row}`)
      return lead
    },
    findRow: (id) => rowOf.get(id) ?? -1,
  }
}

type Person = { name: string; email: string | null; phone: string | null; searched: (string | null)[] }

function personOf(lead: Lead): Person {
  if ('sender' in lead) {
    const { email, phone } = lead.sender
    return { name: email ?? phone ?? '', email, phone, searched: [email, lead.question] }
  }
  const { firstName, lastName, email, phone } = lead.user
  return { name: join([firstName, lastName]), email, phone, searched: [firstName, lastName, email] }
}

function searchTextOf({ phone, searched }: Person): string {
  return join([foldAccents(join(searched)) || null, phone === null ? null : phoneSearchText(phone) || null])
}

function join(texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null).join(' ')
}

function modeOf(lead: Lead): string {
  return 'sender' in lead ? lead.sender.mode : ''
}

function yearOf(lead: Lead): number {
  const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : null
  return year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(2_147_483_647, year))
}

export function searchTextsOf(folded: readonly string[]): SearchTexts {
  const bytes = folded.map((text) => [...encodeUtf8(plainLetters(text))])
  const marks = folded.map(encodeLetterMarks)
  return {
    count: folded.length,
    starts: startsOf(bytes),
    bytes: Uint8Array.from(bytes.flat()),
    marks: { starts: startsOf(marks), bytes: Uint8Array.from(marks.flat()) },
  }
}

function startsOf(parts: readonly (readonly number[])[]): Uint32Array {
  let end = 0
  return Uint32Array.from([0, ...parts.map(({ length }) => (end += length))])
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function searchTextAt({ bytes, starts }: SearchTexts, text: number): string {
  return decoder.decode(bytes.subarray(starts[text], starts[text + 1]))
}

/** Returns the text by which each row is found, and its marks. */
export function searchedIn({ text, texts }: { text: Uint32Array; texts: SearchTexts }) {
  return Array.from(text, (number) => ({
    text: searchTextAt(texts, number),
    marks: [...texts.marks.bytes.subarray(texts.marks.starts[number], texts.marks.starts[number + 1])],
  }))
}

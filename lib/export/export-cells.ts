import { displayPhone, toE164 } from '@/lib/contacts/phone'
import type { ExportColumnName } from '@/lib/contract/export'
import type { Lead, LeadStatus, Triage } from '@/lib/contract/lead'
import { stockholmClock } from '@/lib/time/stockholm'

/** Who answered a lead first and when (ms), and how often somebody tried to; `by` is null once the account is gone. */
export type LeadAnswer = { at: number | null; by: string | null; attempts: number }

/** A lead and what stands beside it on the screen; without an `answer` nobody has tried. */
export type ExportedLead = { lead: Lead; triage: Triage; school: string; answer?: LeadAnswer }

/** A `moment` is milliseconds on Stockholm's clocks. A moment that cannot be read is text, and what is missing null. */
type CellKind = 'text' | 'moment' | 'number'
export type ExportColumn = {
  name: ExportColumnName
  header: string
  kind: CellKind
  cell: (exported: ExportedLead) => string | number | null
}

/** The words that stand in a file, in the language it was asked for in. */
export type ExportWords = {
  column: Readonly<Record<ExportColumnName, string>>
  status: Readonly<Record<LeadStatus, string>>
  /** A way of contact we have no word for is written as the service says it. */
  mode: (mode: string) => string
  /** The name of the sheet: at most 31 characters, none of `[]:*?/\`. */
  sheet: string
  /** What a card says it came from. */
  card: string
  /** A card for somebody without name, e-mail and phone. */
  nameless: string
  starts: (year: number) => string
  /** What ends a text that a cell could not hold. */
  cut: string
}

/** The columns of a file in the order asked for, each once. One that the list does not have is empty in every row. */
export function exportColumns(names: readonly ExportColumnName[], words: ExportWords): ExportColumn[] {
  const cells = cellsIn(words)
  return [...new Set(names)].map((name) => ({
    name,
    header: words.column[name],
    kind: kinds[name] ?? 'text',
    cell: cells[name],
  }))
}

const kinds: Partial<Record<ExportColumnName, CellKind>> = {
  createdAt: 'moment',
  year: 'number',
  answeredAt: 'moment',
  attempts: 'number',
}

function cellsIn(words: ExportWords): Record<ExportColumnName, ExportColumn['cell']> {
  return {
    createdAt: ({ lead }) => {
      const ms = Date.parse(lead.createdAt)
      return Number.isNaN(ms) ? lead.createdAt : stockholmClock(ms)
    },
    school: ({ school }) => school,
    firstName: ({ lead }) => ('user' in lead ? lead.user.firstName : null),
    lastName: ({ lead }) => ('user' in lead ? lead.user.lastName : null),
    sender: ({ lead }) => ('sender' in lead ? (lead.sender.email ?? phoneOf(lead)) : null),
    email: ({ lead }) => contactDetails(lead).email,
    phone: ({ lead }) => phoneOf(lead),
    year: ({ lead }) => ('user' in lead ? lead.user.highSchoolEnrollmentYear : null),
    mode: ({ lead }) => ('sender' in lead ? words.mode(lead.sender.mode) : null),
    question: ({ lead }) => ('question' in lead ? lead.question : null),
    status: ({ triage }) => words.status[triage.status],
    assignee: ({ triage }) => triage.assignee?.name ?? null,
    answeredAt: ({ answer }) => (answer?.at == null ? null : stockholmClock(answer.at)),
    answeredBy: ({ answer }) => answer?.by ?? null,
    attempts: ({ answer }) => answer?.attempts ?? 0,
    id: ({ lead }) => lead.id,
    highSchoolId: ({ lead }) => lead.highSchoolId,
  }
}

/** The e-mail and phone that were left with a lead. */
export function contactDetails(lead: Lead): { email: string | null; phone: string | null } {
  return 'user' in lead ? lead.user : lead.sender
}

function phoneOf(lead: Lead): string | null {
  const { phone } = contactDetails(lead)
  return phone === null ? null : phoneInFile(phone)
}

/** What `phoneInFile` makes of a number: safe in a spreadsheet, for no formula has digits in groups. */
export const GROUPED_PHONE = /^\+\d+(?: \d+)+$/

/**
 * A phone as `+46 70 123 45 67`, so that a spreadsheet takes it for text; one that cannot be read as it came. The last group
 * never has three digits: where spaces part the thousands, as in Swedish, that could be a number.
 */
export function phoneInFile(raw: string): string {
  const number = toE164(raw)
  if (number === null) return raw
  const national = displayPhone(number)
  // No Swedish number begins with two noughts; read once more, one of them would be taken for a stray one.
  if (/^\+46[1-9]/.test(number) && national.startsWith('0')) {
    return `+46 ${national.slice(1).replace('-', ' ')}`
  }
  const [country = ''] = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(number) ?? []
  return `${country} ${inPairs(number.slice(country.length))}`
}

function inPairs(digits: string): string {
  const odd = digits.length % 2 === 0 ? 0 : Math.min(3, digits.length)
  const pairs = digits.slice(odd).replace(/\d\d(?=\d)/g, '$& ')
  return [digits.slice(0, odd), pairs].filter((part) => part !== '').join(' ')
}

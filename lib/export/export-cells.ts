import { comparableEmail, plainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { formatPhone } from '@/lib/contacts/plain-phone'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { ExportColumnName } from '@/lib/contract/export'
import type { Lead, LeadStatus, Triage } from '@/lib/contract/lead'
import { stockholmClock } from '@/lib/time/stockholm'

/** The first answer to a lead (in ms) and the number of attempts; the name is null once the account is gone. */
export type LeadAnswer = { answeredAt: number | null; answeredBy: string | null; attempts: number }

/** A lead with what the screen shows beside it; without attempts there is no `answer`. */
export type ExportedLead = { lead: Lead; triage: Triage; school: string; answer?: LeadAnswer }

/** A `moment` is in ms on Stockholm's clocks. One that cannot be read is text, and a missing value is null. */
type CellKind = 'text' | 'moment' | 'number'
export type ExportColumn = {
  name: ExportColumnName
  header: string
  kind: CellKind
  width: number
  readCell: (exported: ExportedLead) => string | number | null
}

export type ExportLabels = {
  columnLabels: Readonly<Record<ExportColumnName, string>>
  statusLabels: Readonly<Record<LeadStatus, string>>
  /** A way of contact that has no label is written as the service has it. */
  formatMode: (mode: string) => string
  /** The name of the sheet: at most 31 characters, none of `[]:*?/\`. */
  sheetName: string
  cardNote: string
  nameMissing: string
  formatStart: (year: number) => string
  cutSuffix: string
}

/** A name that occurs twice makes one column. A column that the list does not have is empty in every row. */
export function createExportColumns(names: readonly ExportColumnName[], labels: ExportLabels): ExportColumn[] {
  const columns: Record<ExportColumnName, Pick<ExportColumn, 'width' | 'readCell'> & { kind?: CellKind }> = {
    createdAt: {
      kind: 'moment',
      width: 17,
      readCell: ({ lead: { createdAt } }) => {
        const ms = Date.parse(createdAt)
        return Number.isNaN(ms) ? createdAt : stockholmClock(ms)
      },
    },
    school: { width: 28, readCell: ({ school }) => school },
    firstName: { width: 16, readCell: ({ lead }) => readUser(lead)?.firstName ?? null },
    lastName: { width: 20, readCell: ({ lead }) => readUser(lead)?.lastName ?? null },
    sender: { width: 30, readCell: ({ lead }) => ('sender' in lead ? (lead.sender.email ?? readPhone(lead)) : null) },
    email: { width: 32, readCell: ({ lead }) => readContactDetails(lead).email },
    phone: { width: 19, readCell: ({ lead }) => readPhone(lead) },
    year: { kind: 'number', width: 9, readCell: ({ lead }) => readUser(lead)?.highSchoolEnrollmentYear ?? null },
    mode: { width: 13, readCell: ({ lead }) => ('sender' in lead ? labels.formatMode(lead.sender.mode) : null) },
    question: { width: 60, readCell: ({ lead }) => ('question' in lead ? lead.question : null) },
    status: { width: 12, readCell: ({ triage }) => labels.statusLabels[triage.status] },
    assignee: { width: 20, readCell: ({ triage }) => triage.assignee?.name ?? null },
    answeredAt: {
      kind: 'moment',
      width: 17,
      readCell: ({ answer }) => (answer?.answeredAt == null ? null : stockholmClock(answer.answeredAt)),
    },
    answeredBy: { width: 20, readCell: ({ answer }) => answer?.answeredBy ?? null },
    attempts: { kind: 'number', width: 14, readCell: ({ answer }) => answer?.attempts ?? 0 },
    id: { width: 38, readCell: ({ lead }) => lead.id },
    highSchoolId: { width: 24, readCell: ({ lead }) => lead.highSchoolId },
  }
  return [...new Set(names)].map((name) => {
    return { name, header: labels.columnLabels[name], kind: 'text', ...columns[name] }
  })
}

export const readUser = (lead: Lead) => ('user' in lead ? lead.user : null)

export function readContactDetails(lead: Lead): { email: string | null; phone: string | null } {
  return 'user' in lead ? lead.user : lead.sender
}

function readPhone(lead: Lead): string | null {
  const { phone } = readContactDetails(lead)
  return phone === null ? null : toFilePhone(phone)
}

/** `toFilePhone` writes numbers like this. They are safe in a spreadsheet, because no formula has digits in groups. */
export const GROUPED_PHONE = /^\+\d+(?: \d+)+$/

/** A personal number gets its dash, because a spreadsheet would take it for a number without one. */
const BARE_PERSONAL_NUMBER = /^(\d{6,8})(\d{4})$/

/**
 * Writes a phone as `+46 70 123 45 67`, which a spreadsheet takes for text; one that cannot be read stays as it came. The last group never has three
 * digits, because that could be a number with spaces between thousands, as in Swedish.
 */
export function toFilePhone(raw: string): string {
  const number = toE164(raw)
  if (number === null) return isLikePersonalNumber(raw) ? raw.replace(BARE_PERSONAL_NUMBER, '$1-$2') : raw
  const national = formatPhone(number)
  const isSwedish = number.startsWith('+46') && national.startsWith('0')
  if (isSwedish) return `+46 ${national.slice(1).replace('-', ' ')}`
  const [country = ''] = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(number) ?? []
  const digits = number.slice(country.length)
  const firstGroupLength = digits.length % 2 === 0 ? 0 : Math.min(3, digits.length)
  const pairs = digits.slice(firstGroupLength).replace(/\d\d(?=\d)/g, '$& ')
  return [country, digits.slice(0, firstGroupLength), pairs].filter((part) => part !== '').join(' ')
}

/** Collects addresses that mail may be sent to, each once whatever its case, and counts the leads that have none. */
export function createEmailCollector() {
  const emails = new Map<string, string>()
  let without = 0
  return {
    add: (email: string | null) => {
      const address = email === null ? '' : plainEmail(email)
      const key = isMailAddress(address) ? comparableEmail(address) : null
      if (key === null) without += 1
      else if (!emails.has(key)) emails.set(key, address)
    },
    finish: () => ({ emails: [...emails.values()], without }),
  }
}

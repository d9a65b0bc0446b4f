import { readContactDetails } from '@/lib/contacts/contact-key'
import type { ExportColumnName } from '@/lib/contract/export'
import type { Lead, LeadStatus, Triage } from '@/lib/contract/lead'
import { toStockholmClock } from '@/lib/time/stockholm'
import { formatPhoneForFile } from './file-phone'

/** `answeredAt` is in ms. `answeredBy` is null without an answer, or if the user's account is gone. */
export type LeadAnswer = { answeredAt: number | null; answeredBy: string | null; attempts: number }

/** A lead with what the screen shows beside it; without attempts there is no `answer`. */
export type ExportedLead = { lead: Lead; triage: Triage; school: string; answer?: LeadAnswer }

/** The value of a `moment` is ms on Stockholm's clock, or the service's text if that cannot be parsed. */
type CellKind = 'text' | 'moment' | 'number'
export type ExportColumn = {
  name: ExportColumnName
  header: string
  kind: CellKind
  width: number
  readCell: (exported: ExportedLead) => string | number | null
}

export type ExportLabels = {
  /** The name of the sheet: at most 31 characters, none of `[]:*?/\`. */
  sheetName: string
  columnLabels: Readonly<Record<ExportColumnName, string>>
  statusLabels: Readonly<Record<LeadStatus, string>>
  /** A way of contact that has no label is written as the service has it. */
  formatMode: (mode: string) => string
  truncationSuffix: string
  vCard: { note: string; nameMissing: string; formatEnrollmentYear: (year: number) => string }
}

export function createExportColumns(names: readonly ExportColumnName[], labels: ExportLabels): ExportColumn[] {
  const columns: Record<ExportColumnName, Pick<ExportColumn, 'width' | 'readCell'> & { kind?: CellKind }> = {
    createdAt: {
      kind: 'moment',
      width: 17,
      readCell: ({ lead: { createdAt } }) => {
        const ms = Date.parse(createdAt)
        return Number.isNaN(ms) ? createdAt : toStockholmClock(ms)
      },
    },
    school: { width: 28, readCell: ({ school }) => school },
    firstName: { width: 16, readCell: ({ lead }) => findUser(lead)?.firstName ?? null },
    lastName: { width: 20, readCell: ({ lead }) => findUser(lead)?.lastName ?? null },
    sender: { width: 30, readCell: ({ lead }) => ('sender' in lead ? (lead.sender.email ?? findPhone(lead)) : null) },
    email: { width: 32, readCell: ({ lead }) => readContactDetails(lead).email },
    phone: { width: 19, readCell: ({ lead }) => findPhone(lead) },
    year: { kind: 'number', width: 9, readCell: ({ lead }) => findUser(lead)?.highSchoolEnrollmentYear ?? null },
    mode: { width: 13, readCell: ({ lead }) => ('sender' in lead ? labels.formatMode(lead.sender.mode) : null) },
    question: { width: 60, readCell: ({ lead }) => ('question' in lead ? lead.question : null) },
    status: { width: 12, readCell: ({ triage }) => labels.statusLabels[triage.status] },
    assignee: { width: 20, readCell: ({ triage }) => triage.assignee?.name ?? null },
    answeredAt: {
      kind: 'moment',
      width: 17,
      readCell: ({ answer }) => (answer?.answeredAt == null ? null : toStockholmClock(answer.answeredAt)),
    },
    answeredBy: { width: 20, readCell: ({ answer }) => answer?.answeredBy ?? null },
    attempts: { kind: 'number', width: 14, readCell: ({ answer }) => answer?.attempts ?? 0 },
    id: { width: 38, readCell: ({ lead }) => lead.id },
    highSchoolId: { width: 24, readCell: ({ lead }) => lead.highSchoolId },
  }
  return [...new Set(names)].map((name) => ({
    name,
    header: labels.columnLabels[name],
    kind: 'text',
    ...columns[name],
  }))
}

export const findUser = (lead: Lead) => ('user' in lead ? lead.user : null)

function findPhone(lead: Lead): string | null {
  const { phone } = readContactDetails(lead)
  return phone === null ? null : formatPhoneForFile(phone)
}

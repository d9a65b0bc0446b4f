import type { ExportColumnName } from '@/lib/contract/export'
import type { Lead, Triage } from '@/lib/contract/lead'
import type { ExportWords } from './export-words'
import { phoneInFile } from './phone-in-file'

/** A lead and what stands beside it on the screen. */
export type ExportedLead = { lead: Lead; triage: Triage; school: string }

/** A `moment` is milliseconds on Stockholm's clocks. A moment that cannot be read is text, and what is missing null. */
export type CellKind = 'text' | 'moment' | 'number'
export type ExportColumn = {
  name: ExportColumnName
  header: string
  kind: CellKind
  cell: (exported: ExportedLead) => string | number | null
}

/** The columns of a file in the order asked for, each once. One that the list does not have is empty in every row. */
export function exportColumns(
  names: readonly ExportColumnName[],
  words: ExportWords,
  clock: (ms: number) => number,
): ExportColumn[] {
  const cells = cellsIn(words, clock)
  return [...new Set(names)].map((name) => ({
    name,
    header: words.column[name],
    kind: kinds[name] ?? 'text',
    cell: cells[name],
  }))
}

const kinds: Partial<Record<ExportColumnName, CellKind>> = { createdAt: 'moment', year: 'number' }

function cellsIn(
  words: ExportWords,
  clock: (ms: number) => number,
): Record<ExportColumnName, (exported: ExportedLead) => string | number | null> {
  return {
    createdAt: ({ lead }) => {
      const ms = Date.parse(lead.createdAt)
      return Number.isNaN(ms) ? lead.createdAt : clock(ms)
    },
    school: ({ school }) => school,
    firstName: ({ lead }) => ('user' in lead ? lead.user.firstName : null),
    lastName: ({ lead }) => ('user' in lead ? lead.user.lastName : null),
    sender: ({ lead }) => ('sender' in lead ? (lead.sender.email ?? phoneOf(lead)) : null),
    email: ({ lead }) => contactOf(lead).email,
    phone: ({ lead }) => phoneOf(lead),
    year: ({ lead }) => ('user' in lead ? lead.user.highSchoolEnrollmentYear : null),
    mode: ({ lead }) => ('sender' in lead ? words.mode(lead.sender.mode) : null),
    question: ({ lead }) => ('question' in lead ? lead.question : null),
    status: ({ triage }) => words.status[triage.status],
    assignee: ({ triage }) => triage.assignee?.name ?? null,
    id: ({ lead }) => lead.id,
    highSchoolId: ({ lead }) => lead.highSchoolId,
  }
}

export function contactOf(lead: Lead): { email: string | null; phone: string | null } {
  return 'user' in lead ? lead.user : lead.sender
}

function phoneOf(lead: Lead): string | null {
  const { phone } = contactOf(lead)
  return phone === null ? null : phoneInFile(phone)
}

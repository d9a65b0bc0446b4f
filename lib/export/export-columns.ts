import type { ExportColumnName } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'

const SHARED = ['status', 'assignee', 'answeredAt', 'answeredBy', 'attempts', 'id', 'highSchoolId'] as const

export const COLUMNS_BY_LIST: Readonly<Record<LeadList, readonly ExportColumnName[]>> = {
  'asked-questions': ['createdAt', 'school', 'sender', 'email', 'phone', 'mode', 'question', ...SHARED],
  'declarations-of-interest': ['createdAt', 'school', 'firstName', 'lastName', 'email', 'phone', 'year', ...SHARED],
}

/** The default columns leave out ids, the sender, whom other columns name, and who answered when. */
export function selectDefaultColumns(list: LeadList): ExportColumnName[] {
  const leftOut = new Set<ExportColumnName>(['id', 'highSchoolId', 'sender', 'answeredAt', 'answeredBy', 'attempts'])
  return COLUMNS_BY_LIST[list].filter((column) => !leftOut.has(column))
}

import type { ExportColumnName } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'

const WORK = ['status', 'assignee', 'answeredAt', 'answeredBy', 'attempts', 'id', 'highSchoolId'] as const

/** In the order in which they are offered. */
export const columnsOfList: Readonly<Record<LeadList, readonly ExportColumnName[]>> = {
  'asked-questions': ['createdAt', 'school', 'sender', 'email', 'phone', 'mode', 'question', ...WORK],
  'declarations-of-interest': ['createdAt', 'school', 'firstName', 'lastName', 'email', 'phone', 'year', ...WORK],
}

/** Without a choice: not what only machines read, what other columns say already, or who answered when. */
export function defaultColumns(list: LeadList): ExportColumnName[] {
  const leftOut = new Set<ExportColumnName>(['id', 'highSchoolId', 'sender', 'answeredAt', 'answeredBy', 'attempts'])
  return columnsOfList[list].filter((column) => !leftOut.has(column))
}

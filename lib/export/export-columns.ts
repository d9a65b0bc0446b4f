import type { ExportColumnName } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'

const shared = ['createdAt', 'school', 'email', 'phone', 'status', 'assignee', 'id', 'highSchoolId'] as const

/** Every column that a list has, in the order in which they are offered. */
export const columnsOfList: Readonly<Record<LeadList, readonly ExportColumnName[]>> = {
  'asked-questions': ['createdAt', 'school', 'sender', 'email', 'phone', 'mode', 'question', ...shared.slice(4)],
  'declarations-of-interest': [
    'createdAt',
    'school',
    'firstName',
    'lastName',
    'email',
    'phone',
    'year',
    ...shared.slice(4),
  ],
}

/** What stands in a file when nobody chose: all but what only machines read, and what other columns say already. */
export function defaultColumns(list: LeadList): ExportColumnName[] {
  const left = new Set<ExportColumnName>(['id', 'highSchoolId', 'sender'])
  return columnsOfList[list].filter((column) => !left.has(column))
}

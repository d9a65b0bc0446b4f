import type { ExportColumnName } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'

/** Every column that a list has, in the order in which they are offered. */
export const columnsOfList: Readonly<Record<LeadList, readonly ExportColumnName[]>> = {
  'asked-questions': [
    'createdAt',
    'school',
    'sender',
    'email',
    'phone',
    'mode',
    'question',
    'status',
    'assignee',
    'answeredAt',
    'answeredBy',
    'attempts',
    'id',
    'highSchoolId',
  ],
  'declarations-of-interest': [
    'createdAt',
    'school',
    'firstName',
    'lastName',
    'email',
    'phone',
    'year',
    'status',
    'assignee',
    'answeredAt',
    'answeredBy',
    'attempts',
    'id',
    'highSchoolId',
  ],
}

/** What stands in a file when nobody chose: not what only machines read, what other columns say already, or who answered when. */
export function defaultColumns(list: LeadList): ExportColumnName[] {
  const leftOut = new Set<ExportColumnName>(['id', 'highSchoolId', 'sender', 'answeredAt', 'answeredBy', 'attempts'])
  return columnsOfList[list].filter((column) => !leftOut.has(column))
}

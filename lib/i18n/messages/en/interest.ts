import type { interest as swedish } from '../sv/interest'
import type { Translated } from '../translated'

export const interest = {
  title: 'Interest per year',
  lead: 'Declarations of interest by the year the student begins. Counts only, no names.',
  caption: 'Declarations of interest per school and enrollment year, and questions per school',
  declarations: 'Declarations of interest',
  questions: 'Questions',
  school: 'School',
  otherYears: 'Other year',
  otherYearsHint: 'Enrollment years that are missing or cannot be right',
  total: 'Total',
  allSchools: 'All schools',
  emptyTitle: 'Nothing to count yet',
  emptyBody: 'The counts appear here as soon as something has come in.',
  notReadyTitle: 'Getting the first data',
  notReadyBody: 'This mostly takes a few seconds.',
} as const satisfies Translated<typeof swedish>

import { comparableEmail } from '@/lib/contacts/contact-key'
import type { LeadItem } from '@/lib/api/lead-page'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { type Minor, minorByYear } from '@/lib/leads/minor-by-year'

/**
 * What the lead's own enrollment year tells, and those of the declarations from the same e-mail: a question has none, and
 * of two years the younger counts, for care costs little.
 */
export function minorOf(own: LeadItem, others: readonly LeadItem[], thisYear: number): Minor | null {
  const email = comparableEmail(contactOf(own).email)
  const same = others.filter((lead) => email !== null && comparableEmail(contactOf(lead).email) === email)
  const found = new Set([own, ...same].map((lead) => minorByYear(yearOf(lead), thisYear)))
  if (found.has('under-16')) return 'under-16'
  return found.has('may-be-under-16') ? 'may-be-under-16' : null
}

function yearOf(lead: LeadItem): number | null {
  return isQuestion(lead) ? null : lead.user.highSchoolEnrollmentYear
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useThisYear } from '@/components/browser/clock'
import { Badge } from '@/components/ui/badge'
import { contactQuery } from '@/lib/api/queries'
import type { LeadItem } from '@/lib/api/leads'
import { comparableEmail } from '@/lib/contacts/contact-key'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { type Minor, minorByYear } from '@/lib/leads/minor-by-year'

/** Whether the person may be under 16, as far as this lead and those from the same e-mail tell. */
export function useMinor(item: LeadItem): Minor | null {
  const { data } = useQuery(contactQuery(item.contactId))
  const thisYear = useThisYear()
  const others = data?.leads.map(({ lead }) => lead) ?? []
  return minorOf(item, others, thisYear)
}

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

/** The mark beside a name; nothing without a sign that the person may be under 16. */
export function MinorMark({ minor }: { minor: Minor | null }) {
  const t = useTranslations('lead.minor')
  return minor !== null && <Badge tone="warn">{t(minor)}</Badge>
}

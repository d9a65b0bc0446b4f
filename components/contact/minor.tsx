import { useContact } from '@/components/triage/use-pending'
import { useTranslations } from 'next-intl'
import { useThisYear } from '@/components/browser/clock'
import { Badge } from '@/components/ui/badge'
import type { LeadItem } from '@/lib/api/leads'
import { type Minor } from '@/lib/leads/enrollment-year'
import { minorOf } from './person'

export function useMinor(item: LeadItem): Minor | null {
  const { data } = useContact(item.contactId)
  const thisYear = useThisYear()
  const others = data?.leads.map(({ lead }) => lead) ?? []
  return minorOf(item, others, thisYear)
}

export function MinorMark({ minor }: { minor: Minor | null }) {
  const t = useTranslations('lead.minor')
  return minor !== null && <Badge tone="warn">{t(minor)}</Badge>
}

import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { cn } from '@/components/ui/cn'
import type { LeadItem } from '@/lib/api/leads'
import { waitedOf } from '@/lib/leads/waited'
import { dayAndMonth } from '@/lib/time/format-date'

/** How long the person has waited, and how the goal stands; calm, and nothing where nobody waits. */
export function WaitedWords({ item }: { item: LeadItem }) {
  const t = useTranslations('reply.meta')
  const locale = useLocale()
  const waited = waitedOf(item, useToday())
  if (waited === null || (waited.days === 0 && waited.goal === null)) return null
  const { days, goal } = waited
  const words = [
    ...(days > 0 ? [t('waited', { days })] : []),
    ...(goal === null ? [] : [goal.is === 'today' ? t('today') : t(goal.is, { day: dayAndMonth(goal.day, locale) })]),
  ]
  return <span className={cn(goal?.is === 'late' && 'font-medium text-late')}>{words.join(', ')}</span>
}

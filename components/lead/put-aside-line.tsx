import { AlarmClock } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { Button } from '@/components/ui/button'
import type { LeadItem } from '@/lib/api/leads'
import { isPutAside } from '@/lib/inbox/follow-up-days'
import { weekdayAndDate } from '@/lib/time/format-date'
import { stockholmDay } from '@/lib/time/stockholm'

/** Of a lead that was put aside: until which day, or that the day has come, and the way back before it. */
export function PutAsideLine({ item: { snoozeUntil }, onBack }: { item: LeadItem; onBack: () => void }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (snoozeUntil === null) return null
  const isAway = isPutAside(snoozeUntil, today)
  return (
    <output className="edge flex shrink-0 flex-wrap items-center gap-x-2 border-b border-line-soft bg-accent-soft py-1 text-sm text-ink">
      <AlarmClock aria-hidden className="size-4 shrink-0 text-accent" />
      <span className="tabular">
        {t(isAway ? 'comesBack' : 'cameBack', { day: weekdayAndDate(snoozeUntil, today, locale) })}
      </span>
      {isAway && (
        <Button variant="ghost" size="sm" onClick={onBack}>
          {t('takeBack')}
        </Button>
      )}
    </output>
  )
}

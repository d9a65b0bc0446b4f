import { useFormatter, useTranslations } from 'next-intl'
import { SectionHeading } from '@/components/ui/section-heading'
import type { WeekFigures } from '@/lib/contract/day'
import { inLargestUnits } from '@/lib/inbox/day-lines'

/** How the team has answered this week. */
export function Week({ week }: { week: WeekFigures }) {
  const t = useTranslations('day.week')
  const format = useFormatter()
  const timeOf = useTimeText()
  const shareText = (share: number) => format.number(share, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <section aria-labelledby="day-week">
      <SectionHeading id="day-week" level={2}>
        {t('title')}
      </SectionHeading>
      {week.answered === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <dl className="flex flex-col gap-2 text-sm">
          <Figure name={t('answered')} value={String(week.answered)} />
          {week.answeredWithinGoal !== null && <Figure name={t('within')} value={shareText(week.answeredWithinGoal)} />}
          {week.medianMinutes !== null && <Figure name={t('median')} value={timeOf(week.medianMinutes)} />}
        </dl>
      )}
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-mute">{name}</dt>
      <dd className="tabular font-semibold">{value}</dd>
    </div>
  )
}

/** `35 min`, `5 tim 40 min`, `3 dagar`. */
function useTimeText(): (minutes: number) => string {
  const t = useTranslations('day.week')
  return (all) => {
    const { days, hours, minutes } = inLargestUnits(all)
    if (days > 0) return t('days', { days })
    if (hours === 0) return t('minutes', { minutes })
    return minutes === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes })
  }
}

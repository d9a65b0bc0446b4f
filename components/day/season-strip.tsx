import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { Season } from '@/lib/contract/day'
import { findCountdown, listPhases, toStripPosition } from '@/lib/interest/season-strip'
import { formatDayMonth } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'

export function SeasonStrip({ season }: { season: Season }) {
  const t = useTranslations('day.season')
  const locale = useLocale()
  const dayName = (day: string) => formatDayMonth(epochDay(day), locale)
  const remaining = findCountdown(season)
  const { next, today } = season
  const nowPosition = toStripPosition(season, today)
  return (
    <section
      aria-label={t('title', { year: String(season.cohort) })}
      className="relative mb-5 rounded-lg border border-line bg-panel px-4.5 pt-3.5 pb-3 text-sm text-mute"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
        {remaining && remaining.days > 0 && (
          <p>{t.rich('to', { days: remaining.days, name: t(`date.${remaining.key}`), b: renderBold })}</p>
        )}
        {next && (
          <p>
            {next.day === today
              ? t.rich('nextToday', { name: t(`date.${next.key}`), b: renderBold })
              : t.rich('next', { name: t(`date.${next.key}`), day: dayName(next.day), b: renderBold })}
          </p>
        )}
      </div>
      <div aria-hidden className="relative mt-3">
        <div className="flex gap-0.5">
          {listPhases(season).map(({ name, start, end, isNow }) => {
            const elapsedShare = Math.min(1, Math.max(0, (nowPosition - start) / (end - start)))
            return (
              <span key={name} style={{ flexGrow: (end - start) * 1000, flexBasis: 0 }} className="min-w-0">
                <span
                  className={cn(
                    'block h-2 overflow-hidden rounded-full forced-colors:border',
                    name === 'application' || name === 'change' ? 'bg-accent/30' : 'bg-fill',
                  )}
                >
                  <span
                    style={{ width: `${elapsedShare * 100}%` }}
                    className="block h-full bg-accent/55 forced-colors:bg-[Highlight]"
                  />
                </span>
                <span
                  className={cn(
                    'mt-1.5 block truncate text-2xs @max-2xl:hidden',
                    isNow ? 'font-medium text-ink' : 'text-faint',
                  )}
                >
                  {t(`phase.${name}`)}
                </span>
              </span>
            )
          })}
        </div>
        <span
          style={{ left: `${nowPosition * 100}%` }}
          className="absolute -top-1 h-4 w-0.75 -translate-x-1/2 rounded-full bg-accent ring-2 ring-panel forced-colors:bg-[CanvasText]"
        />
      </div>
      <ul aria-label={t('dates')} className="sr-only">
        <li>{t('today', { day: dayName(today) })}</li>
        {season.dates.map(({ day, key }) => (
          <li key={key}>
            {dayName(day)}: {t(`date.${key}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const renderBold = (text: ReactNode) => <b className="font-semibold text-ink">{text}</b>

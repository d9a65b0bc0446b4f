import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { Season, SeasonDate } from '@/lib/contract/day'
import { countdown, positionOnStrip, type SeasonPhase, seasonPhases } from '@/lib/interest/season'
import { dayAndMonth } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'

export function SeasonStrip({ season }: { season: Season }) {
  const t = useTranslations('day.season')
  const counted = countdown(season)
  const { nameOf } = useDateWords()
  return (
    <section
      aria-label={t('title', { year: String(season.cohort) })}
      className="relative mb-5 rounded-lg border border-line bg-panel px-4.5 pt-3.5 pb-3 text-sm text-mute"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
        {counted && counted.days > 0 && <p>{t.rich('to', { days: counted.days, name: nameOf(counted), b: bold })}</p>}
        {season.next && <Next date={season.next} today={season.today} />}
      </div>
      <Strip season={season} />
      <Dates season={season} />
    </section>
  )
}

const bold = (text: ReactNode) => <b className="font-semibold text-ink">{text}</b>

function Next({ date, today }: { date: SeasonDate; today: string }) {
  const t = useTranslations('day.season')
  const { nameOf, dayOf } = useDateWords()
  return (
    <p>
      {date.day === today
        ? t.rich('nextToday', { name: nameOf(date), b: bold })
        : t.rich('next', { name: nameOf(date), day: dayOf(date.day), b: bold })}
    </p>
  )
}

/** Drawn; the same stands as a list for those who do not see it. */
function Strip({ season }: { season: Season }) {
  const now = positionOnStrip(season, season.today)
  return (
    <div aria-hidden className="relative mt-3">
      <div className="flex gap-0.5">
        {seasonPhases(season).map((phase) => (
          <Phase key={phase.name} phase={phase} now={now} />
        ))}
      </div>
      <span
        style={{ left: `${now * 100}%` }}
        className="absolute -top-1 h-4 w-0.75 -translate-x-1/2 rounded-full bg-accent ring-2 ring-panel forced-colors:bg-[CanvasText]"
      />
    </div>
  )
}

function Phase({ phase: { name, start, end, isNow }, now }: { phase: SeasonPhase; now: number }) {
  const t = useTranslations('day.season.phase')
  const gone = Math.min(1, Math.max(0, (now - start) / (end - start)))
  return (
    <span style={{ flexGrow: (end - start) * 1000, flexBasis: 0 }} className="min-w-0">
      <span
        className={cn(
          'block h-2 overflow-hidden rounded-full forced-colors:border',
          name === 'application' || name === 'change' ? 'bg-accent/30' : 'bg-fill',
        )}
      >
        <span style={{ width: `${gone * 100}%` }} className="block h-full bg-accent/55 forced-colors:bg-[Highlight]" />
      </span>
      <span
        className={cn(
          'mt-1.5 truncate text-2xs @max-2xl:hidden',
          isNow ? 'block font-medium text-ink' : 'block text-faint',
        )}
      >
        {t(name)}
      </span>
    </span>
  )
}

function Dates({ season }: { season: Season }) {
  const t = useTranslations('day.season')
  const { nameOf, dayOf } = useDateWords()
  return (
    <ul aria-label={t('dates')} className="sr-only">
      <li>{t('today', { day: dayOf(season.today) })}</li>
      {season.dates.map((date) => (
        <li key={date.key}>
          {dayOf(date.day)}: {nameOf(date)}
        </li>
      ))}
    </ul>
  )
}

function useDateWords() {
  const t = useTranslations('day.season.date')
  const locale = useLocale()
  return {
    nameOf: ({ key }: Pick<SeasonDate, 'key'>) => t(key),
    dayOf: (day: string) => dayAndMonth(epochDay(day), locale),
  }
}

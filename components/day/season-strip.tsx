import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Season } from '@/lib/contract/day'
import { findCountdown, listPhases, toStripPosition } from '@/lib/interest/season-strip'
import { formatEpochDay } from '@/lib/time/format-date'
import { parseIsoDay } from '@/lib/time/stockholm'

/** Scales the phases' shares of the strip, because `flex-grow` values that add up to less than 1 leave room unused. */
const FLEX_GROW_SCALE = 1_000

export function SeasonStrip({ season }: { season: Season }) {
  const t = useTranslations('day.season')
  const locale = useLocale()
  const formatDay = (day: string) => formatEpochDay(parseIsoDay(day), 'dayMonth', locale)
  const countdown = findCountdown(season)
  const { next, today } = season
  const todayPosition = toStripPosition(season, today)
  return (
    <section
      aria-label={t('title', { year: String(season.cohort) })}
      className="relative mb-5 rounded-lg border border-line bg-panel px-4.5 pt-3.5 pb-3 text-sm text-mute"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
        {countdown && countdown.days > 0 && (
          <p>{t.rich('to', { days: countdown.days, name: t(`date.${countdown.key}`), b: renderBold })}</p>
        )}
        {next && (
          <p>
            {t.rich(next.day === today ? 'nextToday' : 'next', {
              name: t(`date.${next.key}`),
              day: formatDay(next.day),
              b: renderBold,
            })}
          </p>
        )}
      </div>
      <div aria-hidden className="relative mt-3">
        <div className="flex gap-0.5">
          {listPhases(season).map(({ name, start, end, isNow }) => {
            const isPupilsTurn = name === 'application' || name === 'change'
            const length = end - start
            // A phase without a day of its own has no length to divide by.
            const elapsedShare = length === 0 ? 0 : Math.min(1, Math.max(0, (todayPosition - start) / length))
            return (
              <span key={name} style={{ flexGrow: length * FLEX_GROW_SCALE, flexBasis: 0 }} className="min-w-0">
                <span
                  className={`block h-2 overflow-hidden rounded-full forced-colors:border ${isPupilsTurn ? 'bg-accent/30' : 'bg-fill'}`}
                >
                  <span
                    style={{ width: `${elapsedShare * 100}%` }}
                    className="block h-full bg-accent/55 forced-colors:bg-[Highlight]"
                  />
                </span>
                <span
                  className={`mt-1.5 block truncate text-2xs @max-2xl:hidden ${isNow ? 'font-medium text-ink' : 'text-faint'}`}
                >
                  {t(`phase.${name}`)}
                </span>
              </span>
            )
          })}
        </div>
        <span
          style={{ left: `${todayPosition * 100}%` }}
          className="absolute -top-1 h-4 w-0.75 -translate-x-1/2 rounded-full bg-accent ring-2 ring-panel forced-colors:bg-[CanvasText]"
        />
      </div>
      <ul aria-label={t('dates')} className="sr-only">
        <li>{t('today', { day: formatDay(today) })}</li>
        {season.dates.map(({ day, key }) => (
          <li key={key}>
            {formatDay(day)}: {t(`date.${key}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const renderBold = (text: ReactNode) => <b className="font-semibold text-ink">{text}</b>

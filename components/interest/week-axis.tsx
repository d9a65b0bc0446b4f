import { useId } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import { dayAndMonth } from '@/lib/time/format-date'
import { mondayOfWeek } from '@/lib/time/weeks'

/** What the charts with a bar for each week share: `week` as `2026-W47`. */
type Week = { week: string }

/** `16 nov–22 nov`; `Vecka 47 2026, 16 nov–22 nov`. */
export function useWeekWords() {
  const t = useTranslations('interest')
  const locale = useLocale()
  const spanOf = ({ week }: Week) => {
    const monday = mondayOfWeek(week)
    return { from: dayAndMonth(monday, locale), to: dayAndMonth(monday + 6, locale) }
  }
  return {
    daysOf: (week: Week) => t('curves.span', spanOf(week)),
    nameOf: (week: Week) => {
      const [year = '', number = ''] = week.week.split('-W')
      return t('weeks.point', { week: String(Number(number)), year, ...spanOf(week) })
    },
  }
}

export const LEFT = 44
export const TOP = 8
export const BOTTOM = 34

/** What a week's number and year need beside the next. */
const LABEL_WIDTH = 46

/** Which week, from 0, lies under a place; that is given as a share of the drawing's width, and `width` in px. */
export function weekUnder(share: number, width: number, count: number): number {
  return Math.floor(((share * width - LEFT) / (width - LEFT)) * count)
}

/** As many as there is room for, the last week always among them. */
export function WeekLabels({ weeks, slot, floor }: { weeks: readonly Week[]; slot: number; floor: number }) {
  const t = useTranslations('interest.weeks')
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot))
  return weeks.map(({ week }, index) => {
    if ((weeks.length - 1 - index) % every !== 0) return null
    const [year, number] = week.split('-W')
    const isLast = index === weeks.length - 1
    const x = LEFT + (index + (isLast ? 1 : 0.5)) * slot
    const anchor = isLast ? 'end' : 'middle'
    if (!isLast && index * slot < LABEL_WIDTH / 2 - LEFT) return null
    return (
      <g key={week} className="tabular fill-faint">
        <text x={x} y={floor + 14} textAnchor={anchor}>
          {t('tick', { week: String(Number(number)) })}
        </text>
        <text x={x} y={floor + 27} textAnchor={anchor}>
          {year}
        </text>
      </g>
    )
  })
}

/** What questions are filled with, and what came late. */
export function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="4" height="4" className="fill-panel" />
      <rect width="2.2" height="4" className="fill-status-progress" />
    </pattern>
  )
}

/** How a bar is filled, beside what it stands for. */
export function BarSwatch({ isHatched = false }: { isHatched?: boolean }) {
  const hatch = useId()
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0">
      <Hatch id={hatch} />
      {isHatched ? (
        <rect
          x="0.5"
          y="0.5"
          width="11"
          height="11"
          rx="2"
          fill={`url(#${hatch})`}
          className="stroke-status-progress"
        />
      ) : (
        <rect width="12" height="12" rx="2" className="fill-accent" />
      )}
    </svg>
  )
}

import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useId } from 'react'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import { dayAndMonth, monthName } from '@/lib/time/format-date'
import { dayText } from '@/lib/time/stockholm'

/* What stands around the curves: how many at the left, the months below, and the admission's days as bands and as text. */

export type Scale = (value: number) => number

export const TOP = 24
/** In px; a narrower drawing has letters for words. */
export const NARROW = 400

/** Room for the name of every month. */
const WIDE = 640

export function CycleKey({ cycle, cohort }: { cycle: AdmissionCycle; cohort: number }) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const day = (date: string) => dayAndMonth(cycleDate(cohort, date), locale)
  const span = (from: string, to: string) => t('span', { from: day(from), to: day(to) })
  const steps = [
    { letter: 'A', name: t('step.application'), when: span(cycle.applicationOpens, cycle.applicationCloses) },
    { letter: null, name: t('step.preliminary'), when: day(cycle.preliminary) },
    { letter: 'B', name: t('step.changes'), when: span(cycle.preliminary, cycle.changePeriodEnds) },
    { letter: 'C', name: t('step.final'), when: day(cycle.final) },
    { letter: null, name: t('step.reserves'), when: day(cycle.reservesEnd) },
  ]
  return (
    <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
      {steps.map(({ letter, name, when }) => (
        <li key={name} suppressHydrationWarning>
          {letter !== null && <b className="mr-1 font-semibold text-ink desk:hidden print:hidden">{letter}</b>}
          <span>{name}</span> <span className="tabular text-faint">{when}</span>
        </li>
      ))}
    </ul>
  )
}

type AxisProps = { cycle: AdmissionCycle; cohort: number; x: Scale; floor: number; width: number }

export function CalendarBands({ cycle, cohort, x, floor, width }: AxisProps) {
  const t = useTranslations('interest.curves.step')
  const hatch = useId()
  const place = (date: string) => x(cycleDate(cohort, date) - dayZero(cohort, cycle))
  const opens = place(cycle.applicationOpens)
  const closes = place(cycle.applicationCloses)
  const preliminary = place(cycle.preliminary)
  const changesEnd = place(cycle.changePeriodEnds)
  const final = place(cycle.final)
  const band = { y: TOP, height: floor - TOP }
  const labels = [
    { x: (opens + closes) / 2, letter: 'A', name: t('application'), textAnchor: 'middle' },
    { x: (preliminary + changesEnd) / 2, letter: 'B', name: t('changes'), textAnchor: 'middle' },
    // There is room after this one.
    { x: final - 8, letter: 'C', name: t('final'), textAnchor: 'start' },
  ] as const
  return (
    <g>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-warn" />
        <line x1="0" x2="0" y1="0" y2="5" className="stroke-line" strokeWidth="1.5" />
      </pattern>
      <rect x={opens} width={closes - opens} {...band} className="fill-accent-soft" />
      <rect x={preliminary} width={changesEnd - preliminary} {...band} fill={`url(#${hatch})`} />
      <line x1={preliminary} x2={preliminary} y1={TOP} y2={floor} className="stroke-line" />
      <line x1={final} x2={final} y1={TOP - 4} y2={floor} className="stroke-line" strokeWidth="1.5" />
      {labels.map(({ letter, name, ...where }) => (
        <text key={letter} {...where} y={TOP - 8} className="fill-mute">
          {width < NARROW ? letter : name}
        </text>
      ))}
    </g>
  )
}

type MonthAxisProps = AxisProps & { firstDay: number; lastDay: number }

export function MonthAxis({ cycle, cohort, x, floor, width, firstDay, lastDay }: MonthAxisProps) {
  const locale = useLocale()
  const zero = dayZero(cohort, cycle)
  const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
  const months = days.filter((day) => dayText(zero + day).endsWith('-01'))
  return months.map((day, index) => (
    <g key={day}>
      <line x1={x(day)} x2={x(day)} y1={floor} y2={floor + 4} className="stroke-line" />
      {(width >= WIDE || index % 2 === 0) && (
        <text suppressHydrationWarning x={x(day)} y={floor + 17} textAnchor="middle" className="fill-faint">
          {monthName(zero + day, locale)}
        </text>
      )}
    </g>
  ))
}

type ValueAxisProps = { ticks: readonly number[]; y: Scale; left: number; right: number }

export function ValueAxis({ ticks, y, left, right }: ValueAxisProps) {
  const format = useFormatter()
  return ticks.map((value) => (
    <g key={value}>
      <line x1={left} x2={right} y1={y(value)} y2={y(value)} className={value ? 'stroke-line-soft' : 'stroke-line'} />
      <text x={left - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
        {format.number(value)}
      </text>
    </g>
  ))
}

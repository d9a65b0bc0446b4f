import { useLocale } from 'next-intl'
import { dayZero } from '@/lib/interest/cohort'
import { monthName } from '@/lib/interest/day-words'
import { epochDayOf } from '@/lib/interest/epoch-day'
import type { PlotFrame } from './calendar-bands'

type MonthAxisProps = PlotFrame & { firstDay: number; lastDay: number }

/** The chosen cohort's months; narrow, every other has its name. */
export function MonthAxis({ x, floor, width, cycle, cohort, firstDay, lastDay }: MonthAxisProps) {
  const locale = useLocale()
  const zero = dayZero(cohort, cycle)
  const first = new Date((zero + firstDay) * 86_400_000)
  const months = Array.from({ length: 14 }, (_, index) => {
    const month = first.getUTCMonth() + index
    return epochDayOf(first.getUTCFullYear() + Math.floor(month / 12), (month % 12) + 1, 1)
  })
  const within = months.filter((day) => day - zero >= firstDay && day - zero <= lastDay)
  return within.map((day, index) => (
    <g key={day}>
      <line x1={x(day - zero)} x2={x(day - zero)} y1={floor} y2={floor + 4} className="stroke-line" />
      {(width >= 600 || index % 2 === 0) && (
        <text suppressHydrationWarning x={x(day - zero)} y={floor + 17} textAnchor="middle" className="fill-faint">
          {monthName(day, locale)}
        </text>
      )}
    </g>
  ))
}

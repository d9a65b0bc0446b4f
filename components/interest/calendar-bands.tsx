import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { cycleDate, dayZero } from '@/lib/interest/cohort'

export type PlotFrame = {
  x: (cycleDay: number) => number
  top: number
  floor: number
  width: number
  cycle: AdmissionCycle
  cohort: number
}

/** The admission calendar behind the curves: two times as bands, three days as lines. Narrow, letters stand for their names. */
export function CalendarBands({ x, top, floor, width, cycle, cohort }: PlotFrame) {
  const t = useTranslations('interest.curves.short')
  const hatch = useId()
  const place = (date: string) => x(cycleDate(cohort, date) - dayZero(cohort, cycle))
  const isNarrow = width < 600
  const opens = place(cycle.applicationOpens)
  const closes = place(cycle.applicationCloses)
  const preliminary = place(cycle.preliminary)
  const changesEnd = place(cycle.changePeriodEnds)
  const final = place(cycle.final)
  const label = { y: top - 8, className: 'fill-mute' }
  return (
    <g>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-warn" />
        <line x1="0" x2="0" y1="0" y2="5" className="stroke-line" strokeWidth="1.5" />
      </pattern>
      <rect x={opens} y={top} width={closes - opens} height={floor - top} className="fill-accent-soft" />
      <rect x={preliminary} y={top} width={changesEnd - preliminary} height={floor - top} fill={`url(#${hatch})`} />
      <line x1={preliminary} x2={preliminary} y1={top} y2={floor} className="stroke-line" />
      <line x1={final} x2={final} y1={top - 4} y2={floor} className="stroke-line" strokeWidth="1.5" />
      <text x={(opens + closes) / 2} textAnchor="middle" {...label}>
        {isNarrow ? 'A' : t('application')}
      </text>
      <text x={(preliminary + changesEnd) / 2} textAnchor="middle" {...label}>
        {isNarrow ? 'B' : t('changes')}
      </text>
      <text x={final} textAnchor="middle" {...label}>
        {isNarrow ? 'C' : t('final')}
      </text>
    </g>
  )
}

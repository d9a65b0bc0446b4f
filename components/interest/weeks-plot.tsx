import { useFormatter, useTranslations } from 'next-intl'
import { useId } from 'react'
import { ticksTo } from '@/lib/interest/axis'
import type { WeekCount } from '@/lib/interest/week-counts'

const LEFT = 44
const TOP = 8
const BOTTOM = 34
const HEIGHT = 190
const WIDEST_BAR = 36
/** What a week's number and year need beside the next. */
const LABEL_WIDTH = 46

/** The week under a place, as a share of the width of a drawing `width` wide. */
export function weekUnder(share: number, width: number, count: number): number {
  return Math.floor(((share * width - LEFT) / (width - LEFT)) * count)
}

type WeeksPlotProps = { weeks: readonly WeekCount[]; width: number; at: number }

/** Two bars a week: declarations full, questions hatched. */
export function WeeksPlot({ weeks, width, at }: WeeksPlotProps) {
  const format = useFormatter()
  const hatch = useId()
  const floor = HEIGHT - BOTTOM
  const ticks = ticksTo(Math.max(0, ...weeks.flatMap(({ declarations, questions }) => [declarations, questions])), 3)
  const top = ticks.at(-1) ?? 1
  const slot = (width - LEFT) / weeks.length
  const bar = Math.min(WIDEST_BAR, slot * 0.4)
  const y = (value: number) => floor - (value / top) * (floor - TOP)
  const column = (x: number, value: number) => ({ x, y: y(value), width: bar, height: floor - y(value) })
  return (
    <svg data-picture viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" className="text-2xs">
      <Hatch id={hatch} />
      {ticks.map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} className="stroke-line-soft" />
          <text x={LEFT - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
            {format.number(value)}
          </text>
        </g>
      ))}
      <rect x={LEFT + at * slot} y={TOP} width={slot} height={floor - TOP} className="fill-hover print:hidden" />
      {weeks.map(({ week, declarations, questions }, index) => {
        const x = LEFT + (index + 0.5) * slot - bar * 1.05
        return (
          <g key={week}>
            <rect {...column(x, declarations)} className="fill-accent" />
            <rect
              {...column(x + bar * 1.1, questions)}
              fill={`url(#${hatch})`}
              className="stroke-status-progress"
              strokeWidth={Math.min(1, bar / 4)}
            />
          </g>
        )
      })}
      <line x1={LEFT} x2={width} y1={floor} y2={floor} className="stroke-line" />
      <WeekLabels weeks={weeks} slot={slot} floor={floor} />
    </svg>
  )
}

/** As many as there is room for, the last week always among them. */
function WeekLabels({ weeks, slot, floor }: { weeks: readonly WeekCount[]; slot: number; floor: number }) {
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

function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="4" height="4" className="fill-panel" />
      <rect width="2.2" height="4" className="fill-status-progress" />
    </pattern>
  )
}

export function BarSwatch({ what }: { what: 'declarations' | 'questions' }) {
  const hatch = useId()
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0">
      <Hatch id={hatch} />
      {what === 'declarations' ? (
        <rect width="12" height="12" rx="2" className="fill-accent" />
      ) : (
        <rect
          x="0.5"
          y="0.5"
          width="11"
          height="11"
          rx="2"
          fill={`url(#${hatch})`}
          className="stroke-status-progress"
        />
      )}
    </svg>
  )
}

import { useFormatter, useTranslations } from 'next-intl'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { spreadLabels, ticksTo } from '@/lib/interest/axis'
import type { CycleCurves } from '@/lib/interest/cycle-curves'
import type { Unit } from '@/lib/interest/interest-page'
import { CalendarBands } from './calendar-bands'
import { curveLook, CurveMark } from './curve-looks'
import { MonthAxis } from './month-axis'

const LEFT = 44
const RIGHT = 44
const TOP = 24
const BOTTOM = 26

/** The point under a place, as a share of the width of a drawing `width` wide. */
export function dayUnder(share: number, width: number, count: number): number {
  return Math.round(((share * width - LEFT) / (width - LEFT - RIGHT)) * (count - 1))
}

export type CurvesPlotProps = {
  curves: CycleCurves
  unit: Unit
  cycle: AdmissionCycle
  cohort: number
  width: number
  at: number
}

export function CurvesPlot({ curves, unit, cycle, cohort, width, at }: CurvesPlotProps) {
  const { firstDay, lastDay, today } = curves
  const height = width < 600 ? 250 : 380
  const floor = height - BOTTOM
  const ticks = ticksTo(Math.max(0, ...curves.cohorts.map((curve) => curve[unit].at(-1) ?? 0)), 5)
  const top = ticks.at(-1) ?? 1
  const x = (cycleDay: number) => LEFT + ((cycleDay - firstDay) / (lastDay - firstDay)) * (width - LEFT - RIGHT)
  const y = (value: number) => floor - (value / top) * (floor - TOP)
  const plot = { x, top: TOP, floor, width, cycle, cohort }
  return (
    <svg data-picture viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="text-2xs">
      <CalendarBands {...plot} />
      <Lines ticks={ticks} y={y} left={LEFT} right={width - RIGHT} />
      <MonthAxis {...plot} firstDay={firstDay} lastDay={lastDay} />
      {today >= firstDay && today <= lastDay && <Today x={x(today)} top={TOP} floor={floor} />}
      {curves.cohorts.map((curve, index) => (
        <Curve key={curve.year} index={index} values={curve[unit]} x={(place) => x(firstDay + place)} y={y} />
      ))}
      <EndLabels curves={curves} unit={unit} x={x} y={y} bottom={floor - 4} />
      <Cursor curves={curves} unit={unit} at={at} x={x(firstDay + at)} y={y} floor={floor} />
    </svg>
  )
}

type Scale = (value: number) => number

function Lines({ ticks, y, left, right }: { ticks: readonly number[]; y: Scale; left: number; right: number }) {
  const format = useFormatter()
  return ticks.map((value) => (
    <g key={value}>
      <line
        x1={left}
        x2={right}
        y1={y(value)}
        y2={y(value)}
        className={value === 0 ? 'stroke-line' : 'stroke-line-soft'}
      />
      <text x={left - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
        {format.number(value)}
      </text>
    </g>
  ))
}

function Today({ x, top, floor }: { x: number; top: number; floor: number }) {
  const t = useTranslations('interest.curves')
  return (
    <g>
      <line x1={x} x2={x} y1={top} y2={floor} className="stroke-accent" />
      <text x={x + 4} y={top + 10} className="fill-accent font-medium">
        {t('today')}
      </text>
    </g>
  )
}

function Curve({ index, values, x, y }: { index: number; values: readonly number[]; x: Scale; y: Scale }) {
  const { line, dash, width } = curveLook(index)
  const path = values.map((value, place) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
  if (path === '') return null
  return (
    <path
      d={`M${path}`}
      fill="none"
      className={line}
      strokeWidth={width}
      strokeDasharray={dash}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  )
}

type OnPlot = Pick<CurvesPlotProps, 'curves' | 'unit'> & { y: Scale }

/** Each line says at its end which it is; one that ends within the drawing says it above, where no line comes. */
function EndLabels({
  curves: { cohorts, firstDay, lastDay },
  unit,
  x,
  y,
  bottom,
}: OnPlot & { x: Scale; bottom: number }) {
  const ends = cohorts.map((curve) => ({ day: firstDay + curve[unit].length - 1, value: curve[unit].at(-1) ?? 0 }))
  const complete = ends.flatMap((end, index) => (end.day === lastDay ? [{ ...end, index }] : []))
  const places = spreadLabels(
    complete.map(({ value }) => y(value)),
    13,
    bottom,
  )
  return cohorts.map(({ year }, index) => {
    const place = places[complete.findIndex((end) => end.index === index)]
    const { day = firstDay, value = 0 } = ends[index] ?? {}
    const where = place === undefined ? { x: x(day) - 8, y: y(value) - 8 } : { x: x(day) + 7, y: place + 4 }
    return (
      <text
        key={year}
        {...where}
        textAnchor={place === undefined ? 'end' : 'start'}
        className={`tabular font-semibold ${curveLook(index).text}`}
      >
        {year}
      </text>
    )
  })
}

function Cursor({ curves: { cohorts }, unit, at, x, y, floor }: OnPlot & { at: number; x: number; floor: number }) {
  return (
    <g className="print:hidden">
      <line x1={x} x2={x} y1={TOP} y2={floor} className="stroke-faint" strokeDasharray="2 3" />
      {cohorts.map((curve, index) => {
        const value = curve[unit][at]
        return value === undefined ? null : <CurveMark key={curve.year} index={index} x={x} y={y(value)} />
      })}
    </g>
  )
}

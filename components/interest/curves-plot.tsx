import { useLocale, useTranslations } from 'next-intl'
import { useId } from 'react'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { Count } from '@/lib/contract/interest'
import { sizeOf, spreadLabels, ticksTo } from '@/lib/interest/axis'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import type { CycleCurves } from '@/lib/interest/cohort-curves'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { monthName } from '@/lib/time/format-date'
import { epochDayOf } from '@/lib/time/weeks'
import { Drawing, ValueAxis } from './plot-frame'

type CurvesPlotProps = {
  page: Pick<InterestPage, 'curves' | 'cycle' | 'cohort' | 'isRounded'>
  unit: Unit
  width: number
  at: number
}

/** The cohorts' cumulative curves over the admission calendar, and a cursor at the day that is read out. */
export function CurvesPlot({ page, unit, width, at }: CurvesPlotProps) {
  const { curves, cycle, cohort, isRounded } = page
  const { days, today } = curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  const height = width < 600 ? 250 : 380
  const floor = height - BOTTOM
  const ticks = ticksTo(
    Math.max(0, ...curves.cohorts.map((curve) => sizeOf(curve[unit].at(-1) ?? 0))),
    5,
    isRounded ? 5 : 1,
  )
  const top = ticks.at(-1) ?? 1
  const x = (cycleDay: number) => LEFT + ((cycleDay - firstDay) / (lastDay - firstDay)) * (width - LEFT - RIGHT)
  const y = (value: number) => floor - (value / top) * (floor - TOP)
  const plot = { x, top: TOP, floor, width, cycle, cohort }
  return (
    <Drawing width={width} height={height}>
      <CalendarBands {...plot} />
      <ValueAxis ticks={ticks} y={y} left={LEFT} right={width - RIGHT} />
      <MonthAxis {...plot} firstDay={firstDay} lastDay={lastDay} />
      {today >= firstDay && today <= lastDay && <Today x={x(today)} top={TOP} floor={floor} />}
      {curves.cohorts.map((curve, index) => (
        <Curve key={curve.year} index={index} values={curve[unit]} x={(place) => x(days[place] ?? lastDay)} y={y} />
      ))}
      <EndLabels curves={curves} unit={unit} x={x} y={y} bottom={floor - 4} />
      <Cursor curves={curves} unit={unit} at={at} x={x(days[at] ?? lastDay)} y={y} floor={floor} />
    </Drawing>
  )
}

const LEFT = 44
const RIGHT = 44
const TOP = 24
const BOTTOM = 26

/** Which day, from 0, lies under a place; that is given as a share of the drawing's width, and `width` in px. */
export function dayUnder(share: number, width: number, count: number): number {
  return Math.round(((share * width - LEFT) / (width - LEFT - RIGHT)) * (count - 1))
}

type Scale = (value: number) => number

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

function Curve({ index, values, x, y }: { index: number; values: readonly Count[]; x: Scale; y: Scale }) {
  const { line, dash, width } = curveLook(index)
  const path = values.map((value, place) => `${x(place).toFixed(1)} ${y(sizeOf(value)).toFixed(1)}`).join('L')
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

type OnPlot = { curves: CycleCurves; unit: Unit; y: Scale }

/** Each line has its year at its end; of one that ends within the drawing, it stands above, where no line comes. */
function EndLabels({ curves: { cohorts, days }, unit, x, y, bottom }: OnPlot & { x: Scale; bottom: number }) {
  const ends = cohorts.map(({ [unit]: values }) => ({ place: values.length - 1, value: sizeOf(values.at(-1) ?? 0) }))
  const complete = ends.flatMap((end, index) => (end.place === days.length - 1 ? [{ ...end, index }] : []))
  const places = spreadLabels(
    complete.map(({ value }) => y(value)),
    13,
    bottom,
  )
  return cohorts.map(({ year }, index) => {
    const place = places[complete.findIndex((end) => end.index === index)]
    const { place: at = 0, value = 0 } = ends[index] ?? {}
    const day = days[Math.max(0, at)] ?? 0
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
        return value === undefined ? null : <CurveMark key={curve.year} index={index} x={x} y={y(sizeOf(value))} />
      })}
    </g>
  )
}

type PlotFrame = {
  x: (cycleDay: number) => number
  top: number
  floor: number
  width: number
  cycle: AdmissionCycle
  cohort: number
}

/** The admission calendar behind the curves: two times as bands, three days as lines. Narrow, letters stand for their names. */
function CalendarBands({ x, top, floor, width, cycle, cohort }: PlotFrame) {
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

type MonthAxisProps = PlotFrame & { firstDay: number; lastDay: number }

/** The chosen cohort's months; narrow, every other has its name. */
function MonthAxis({ x, floor, width, cycle, cohort, firstDay, lastDay }: MonthAxisProps) {
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

/** Told apart by colour, by dashes and by width: on paper, in grey and by every eye. The chosen cohort is first. */
const curveLooks = [
  { line: 'stroke-accent', mark: 'fill-accent', text: 'fill-accent', dash: undefined, width: 2.75 },
  { line: 'stroke-mute', mark: 'fill-mute', text: 'fill-mute', dash: '7 4', width: 1.75 },
  { line: 'stroke-faint', mark: 'fill-faint', text: 'fill-faint', dash: '1.5 4', width: 1.75 },
] as const

function curveLook(index: number): (typeof curveLooks)[number] {
  return curveLooks[index] ?? curveLooks[2]
}

/** Circle, square, triangle. To be drawn within an `svg`. */
function CurveMark({ index, x, y }: { index: number; x: number; y: number }) {
  const { mark } = curveLook(index)
  const place = { transform: `translate(${x} ${y})`, className: `${mark} stroke-panel`, strokeWidth: 1.5 }
  if (index === 0) return <circle r="5" {...place} />
  if (index === 1) return <path d="M-4-4H4V4H-4z" {...place} />
  return <path d="M0-5 5 4H-5z" {...place} />
}

export function CurveSwatch({ index }: { index: number }) {
  const { line, dash, width } = curveLook(index)
  return (
    <svg viewBox="0 0 26 12" aria-hidden="true" className="h-3 w-6.5 shrink-0">
      <path d="M0 6H26" className={line} strokeWidth={width} strokeDasharray={dash} strokeLinecap="round" />
      <CurveMark index={index} x={13} y={6} />
    </svg>
  )
}

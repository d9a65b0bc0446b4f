import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useId } from 'react'
import { cn } from '@/components/ui/cn'
import { chooseTicks, spreadLabels } from '@/lib/interest/axis'
import { findDayZero, toCycleDay } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { estimateCount } from '@/lib/interest/rounding'
import { formatEpochDay } from '@/lib/time/format-date'
import { dayText } from '@/lib/time/stockholm'
import { useFigureFormat } from './figure-format'

/** Below this width (px) letters replace words. */
export const NARROW_WIDTH = 400
/** From this width (px) on there is room for every month's name. */
const WIDE_WIDTH = 640
/** The margins (px) have room for labels: on the right a year and where it ended, if narrow the year only. */
const MARGIN = { left: 44, top: 24, bottom: 26, right: 126, narrowRight: 44 }
/** The cohorts, the chosen one first, differ by dashes and width too, because paper may be grey. */
const LINE_STYLES = [
  { fill: 'fill-accent', stroke: 'stroke-accent', width: 2.75, dashes: undefined },
  { fill: 'fill-mute', stroke: 'stroke-mute', width: 1.75, dashes: '7 4' },
  { fill: 'fill-faint', stroke: 'stroke-faint', width: 1.75, dashes: '1.5 4' },
] as const

type PlotProps = { page: InterestPage; width: number; height: number; className: string }
type Scale = (value: number) => number
/** The season is drawn from the left margin to `right`, after which labels stand, and down to `baseline`. */
type PlotGeometry = { page: InterestPage; x: Scale; y: Scale; baseline: number; right: number; isNarrow: boolean }

export function CurvesPlot({ page, width, height, className }: PlotProps) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const format = useFormatter()
  const { days, today, cohorts, forecastRange } = page.board.curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  const isNarrow = width < NARROW_WIDTH
  const baseline = height - MARGIN.bottom
  const right = width - (isNarrow ? MARGIN.narrowRight : MARGIN.right)
  const x: Scale = (cycleDay) => MARGIN.left + ((cycleDay - firstDay) / (lastDay - firstDay)) * (right - MARGIN.left)
  const endCounts = [...cohorts.map(({ counts }) => estimateCount(counts.at(-1) ?? 0)), forecastRange.at(-1)?.high ?? 0]
  const ticks = chooseTicks(Math.max(0, ...endCounts), page.isRounded ? 5 : 1)
  const y: Scale = (value) => baseline - (value / (ticks.at(-1) ?? 1)) * (baseline - MARGIN.top)
  const dayZeroEpoch = findDayZero(page.cohort, page.cycle)
  const allDays = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
  const monthStarts = allDays.filter((day) => dayText(dayZeroEpoch + day).endsWith('-01'))
  const plot = { page, x, y, baseline, right, isNarrow }
  return (
    <svg
      data-picture
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      // Screen readers read the name of the box around the drawing instead.
      aria-hidden="true"
      className={cn('text-[11.5px] print:text-[10.5px]', className)}
    >
      <CalendarBands {...plot} />
      {ticks.map((value) => (
        <g key={value}>
          <path d={`M${MARGIN.left} ${y(value)}H${right}`} className={value ? 'stroke-line-soft' : 'stroke-line'} />
          <text x={MARGIN.left - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
            {format.number(value)}
          </text>
        </g>
      ))}
      {monthStarts.map((day, index) => (
        <g key={day}>
          <path d={`M${x(day)} ${baseline}v4`} className="stroke-line" />
          {(width >= WIDE_WIDTH || index % 2 === 0) && (
            <text suppressHydrationWarning x={x(day)} y={baseline + 17} textAnchor="middle" className="fill-faint">
              {formatEpochDay(dayZeroEpoch + day, 'month', locale)}
            </text>
          )}
        </g>
      ))}
      {today >= firstDay && today <= lastDay && (
        <g>
          <path d={`M${x(today)} ${MARGIN.top}V${baseline}`} className="stroke-accent" />
          <text x={x(today) + 4} y={MARGIN.top + 10} className="fill-accent font-medium">
            {t('today')}
          </text>
        </g>
      )}
      <ForecastFan {...plot} />
      <CohortLines {...plot} />
      <WeekTitles {...plot} />
    </svg>
  )
}

function CalendarBands({ page, x, baseline, isNarrow }: PlotGeometry) {
  const t = useTranslations('interest.curves.step')
  const hatchId = useId()
  const fullHeight = { y: MARGIN.top, height: baseline - MARGIN.top }
  const fills = { application: { className: 'fill-accent-soft' }, changes: { fill: `url(#${hatchId})` } }
  return (
    <g>
      <pattern id={hatchId} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-warn" />
        <path d="M0 0V5" className="stroke-line" strokeWidth="1.5" />
      </pattern>
      {listCalendarSteps(page).map(({ name, letter, startDay, endDay }) => (
        <g key={name}>
          {endDay !== null && <rect x={x(startDay)} width={x(endDay) - x(startDay)} {...fullHeight} {...fills[name]} />}
          {(name === 'preliminary' || name === 'final') && (
            <path d={`M${x(startDay)} ${MARGIN.top}V${baseline}`} className="stroke-line" />
          )}
          {letter !== null && (
            <text
              x={endDay === null ? x(startDay) - 8 : (x(startDay) + x(endDay)) / 2}
              y={MARGIN.top - 8}
              textAnchor={endDay === null ? 'start' : 'middle'}
              className="fill-mute"
            >
              {isNarrow ? letter : t(name)}
            </text>
          )}
        </g>
      ))}
    </g>
  )
}

function ForecastFan({ page, x, y, right }: PlotGeometry) {
  const { forecastRange } = page.board.curves
  const end = forecastRange.at(-1)
  if (end === undefined) return null
  const toLine = (ranges: typeof forecastRange, part: 'low' | 'high' | 'expected') =>
    toPath(ranges.map((range) => ({ x: x(range.day), y: y(range[part]) })))
  return (
    <g fill="none" className="stroke-accent">
      <path
        d={`M${toLine(forecastRange, 'high')}L${toLine(forecastRange.toReversed(), 'low')}Z`}
        className="fill-accent"
        fillOpacity="0.18"
        stroke="none"
      />
      <path d={`M${toLine(forecastRange, 'expected')}`} strokeDasharray="2 3" strokeWidth="1.4" />
      <path d={`M${right + 3} ${y(end.high)}h4V${y(end.low)}h-4`} strokeWidth="1.5" />
    </g>
  )
}

function CohortLines({ page, x, y, right, isNarrow }: PlotGeometry) {
  const t = useTranslations('interest.curves')
  const { formatCount } = useFigureFormat()
  const { curves, total } = page.board
  const { days, today, cohorts, forecastRange } = curves
  const lines = cohorts.map(({ year, counts }, index) => {
    // The last point of the chosen cohort is drawn at today, because its week is not over.
    const lastX = year === page.cohort ? Math.max(x(today), MARGIN.left) : right
    const points = counts.map((count, dayIndex) => {
      return { x: Math.min(x(days[dayIndex] ?? 0), lastX), y: y(estimateCount(count)) }
    })
    return { year, points, style: LINE_STYLES[index] ?? LINE_STYLES[2], endText: formatCount(counts.at(-1) ?? 0) }
  })
  const forecastEnd = forecastRange.at(-1)
  const labels = lines.flatMap(({ year, points, style, endText }) => {
    const end = points.at(-1)
    if (end === undefined) return []
    if (year !== page.cohort || forecastEnd === undefined || total.forecast === null)
      return [{ year, style, ...end, isWholeSeason: points.length === days.length, endText }]
    const middle = y((forecastEnd.low + forecastEnd.high) / 2)
    return [{ year, style, x: end.x, y: middle, isWholeSeason: true, endText: t('range', total.forecast) }]
  })
  return (
    <>
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        {lines.toReversed().map(({ year, points, style: { stroke, width, dashes } }) => {
          if (points.length === 0) return null
          const line = { strokeWidth: width, strokeDasharray: dashes }
          return <path key={year} d={`M${toPath(points)}`} className={stroke} {...line} />
        })}
      </g>
      <g className="tabular font-semibold">
        {labels
          .filter(({ isWholeSeason }) => !isWholeSeason)
          .map((label) => (
            <text key={label.year} x={label.x - 8} y={label.y - 8} textAnchor="end" className={label.style.fill}>
              {label.year}
            </text>
          ))}
        {/* Labels of whole seasons stand beside the drawing, the others at the ends of their lines. */}
        {spreadLabels(labels.filter(({ isWholeSeason }) => isWholeSeason)).map((label) => (
          <text key={label.year} x={right + 12} y={label.y + 4} className={label.style.fill}>
            {isNarrow ? label.year : `${label.year}:  ${label.endText}`}
          </text>
        ))}
      </g>
    </>
  )
}

/** The `<title>` of each week lets the browser show its numbers at the pointer. */
function WeekTitles({ page, x, baseline }: PlotGeometry) {
  const { formatPoint } = useDayFormat(page)
  const { formatCount } = useFigureFormat()
  const { days, cohorts } = page.board.curves
  const weekWidth = x(7) - x(0)
  const fullHeight = { y: MARGIN.top, height: baseline - MARGIN.top }
  return days.map((day, index) => {
    if (!endsWeek(days, index)) return null
    const numbers = cohorts.flatMap(({ year, counts: { [index]: count } }) =>
      count === undefined ? [] : [`${year}: ${formatCount(count)}`],
    )
    return (
      <rect key={day} x={x(day) - weekWidth / 2} width={weekWidth} {...fullHeight} fillOpacity="0">
        <title suppressHydrationWarning>{[formatPoint(day), ...numbers].join('\n')}</title>
      </rect>
    )
  })
}

const toPath = (points: readonly { x: number; y: number }[]) =>
  points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')

/** Lists the dates of the admission, in days from its day zero. A narrow drawing has letters instead of names. */
export function listCalendarSteps({ cycle, cohort }: InterestPage) {
  const toDay = (date: string) => toCycleDay(cohort, date) - findDayZero(cohort, cycle)
  const [opens, closes] = [toDay(cycle.applicationOpens), toDay(cycle.applicationCloses)]
  const [preliminary, changesEnd] = [toDay(cycle.preliminary), toDay(cycle.changePeriodEnds)]
  return [
    { name: 'application', letter: 'A', startDay: opens, endDay: closes },
    { name: 'preliminary', letter: null, startDay: preliminary, endDay: null },
    { name: 'changes', letter: 'B', startDay: preliminary, endDay: changesEnd },
    { name: 'final', letter: 'C', startDay: toDay(cycle.final), endDay: null },
    { name: 'reserves', letter: null, startDay: toDay(cycle.reservesEnd), endDay: null },
  ] as const
}

/** Returns whether the day ends a whole week, counted from the day zero, or is the last one. */
export function endsWeek(days: readonly number[], index: number): boolean {
  return (days[index] ?? 0) % 7 === 0 || index === days.length - 1
}

/** Writes a day as `19 nov`, and a point of the curves likewise, or on a rounded page as its week, `13 nov–19 nov`. */
export function useDayFormat({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const formatDay = (cycleDay: number) => formatEpochDay(findDayZero(cohort, cycle) + cycleDay, 'dayMonth', locale)
  const formatSpan = (from: number, to: number) => t('span', { from: formatDay(from), to: formatDay(to) })
  return {
    formatDay,
    formatSpan,
    formatPoint: (day: number) => (isRounded ? formatSpan(day - 6, day) : formatDay(day)),
  }
}

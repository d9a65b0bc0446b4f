import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import { chooseTicks, spreadLabels } from '@/lib/interest/axis'
import { findDayZero } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { estimateCount, ROUNDING_STEP } from '@/lib/interest/rounding'
import { formatEpochDay } from '@/lib/time/format-date'
import { formatIsoDay } from '@/lib/time/stockholm'
import { WEEK_DAYS } from '@/lib/time/weeks'
import { endsWeek, listCalendarSteps, useDayFormat } from './cycle-days'
import { useFigureFormat } from './figure-format'

/** In a narrower drawing (px) letters replace the words of the calendar. */
const NARROW_BELOW = 400
/** The right margin (px) holds a year and its count, or only the year in a narrow drawing. */
const MARGIN = { left: 44, top: 24, bottom: 26, right: 126, narrowRight: 44 }
/** The cohorts, the chosen one first, differ by dashes and width too, because prints may be greyscale. */
const COHORT_STYLES = [
  { labelClass: 'fill-accent', line: { className: 'stroke-accent', strokeWidth: 2.75 } },
  { labelClass: 'fill-mute', line: { className: 'stroke-mute', strokeWidth: 1.75, strokeDasharray: '7 4' } },
  { labelClass: 'fill-faint', line: { className: 'stroke-faint', strokeWidth: 1.75, strokeDasharray: '1.5 4' } },
]

type PlotProps = { page: InterestPage; width: number; height: number; className: string }
type Scale = (value: number) => number
/** The season is drawn from the left margin to `right`, after which labels stand, and down to `baseline`. */
type PlotGeometry = { page: InterestPage; x: Scale; y: Scale; baseline: number; right: number; isNarrow: boolean }

/** Draws how the declarations of each cohort add up over the season, above the calendar of the admission. */
export function CurvesPlot({ page, width, height, className }: PlotProps) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const format = useFormatter()
  const { days, todayCycleDay, cohorts, forecastRange } = page.board.curves
  const firstDay = days.at(0) ?? 0
  const lastDay = days.at(-1) ?? 0
  const isNarrow = width < NARROW_BELOW
  const baseline = height - MARGIN.bottom
  const right = width - (isNarrow ? MARGIN.narrowRight : MARGIN.right)
  const x: Scale = (cycleDay) => MARGIN.left + ((cycleDay - firstDay) / (lastDay - firstDay)) * (right - MARGIN.left)
  const endCounts = cohorts.map(({ counts }) => estimateCount(counts.at(-1) ?? 0))
  const highestCount = Math.max(...endCounts, forecastRange.at(-1)?.high ?? 0)
  const ticks = chooseTicks(highestCount, page.isRounded ? ROUNDING_STEP : 1)
  const y: Scale = (value) => baseline - (value / (ticks.at(-1) ?? 1)) * (baseline - MARGIN.top)
  const dayZeroEpochDay = findDayZero(page.cohort, page.cycle)
  const allDays = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
  const monthStarts = allDays.filter((day) => formatIsoDay(dayZeroEpochDay + day).endsWith('-01'))
  const geometry = { page, x, y, baseline, right, isNarrow }
  return (
    <svg
      data-picture
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={cn('text-[11.5px] print:text-[10.5px]', className)}
    >
      <CalendarBands {...geometry} />
      {ticks.map((value) => (
        <g key={value}>
          <path d={`M${MARGIN.left} ${y(value)}H${right}`} className={value ? 'stroke-line-soft' : 'stroke-line'} />
          <text x={MARGIN.left - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
            {format.number(value)}
          </text>
        </g>
      ))}
      {/* Every second month is named, so that the names do not touch. Server and browser may write one differently. */}
      {monthStarts.map((day, index) => (
        <g key={day}>
          <path d={`M${x(day)} ${baseline}v4`} className="stroke-line" />
          {index % 2 === 0 && (
            <text suppressHydrationWarning x={x(day)} y={baseline + 17} textAnchor="middle" className="fill-faint">
              {formatEpochDay(dayZeroEpochDay + day, 'month', locale)}
            </text>
          )}
        </g>
      ))}
      {todayCycleDay >= firstDay && todayCycleDay <= lastDay && (
        <>
          <path d={`M${x(todayCycleDay)} ${MARGIN.top}V${baseline}`} className="stroke-accent" />
          <text x={x(todayCycleDay) + 4} y={MARGIN.top + 10} className="fill-accent font-medium">
            {t('today')}
          </text>
        </>
      )}
      <ForecastFan {...geometry} />
      <CohortLines {...geometry} />
      <WeekTitles {...geometry} />
    </svg>
  )
}

function CalendarBands({ page, x, baseline, isNarrow }: PlotGeometry) {
  const t = useTranslations('interest.curves.step')
  const fullHeight = { y: MARGIN.top, height: baseline - MARGIN.top }
  return listCalendarSteps(page).map(({ name, letter, startDay, endDay }) => (
    <g key={name}>
      {endDay !== null && (
        <rect
          x={x(startDay)}
          width={x(endDay) - x(startDay)}
          {...fullHeight}
          className={name === 'application' ? 'fill-accent-soft' : 'fill-warn'}
        />
      )}
      {/* The reserves end at the right edge of the plot, which needs no line. */}
      {endDay === null && name !== 'reserves' && (
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
  ))
}

function ForecastFan({ page, x, y, right }: PlotGeometry) {
  const { forecastRange } = page.board.curves
  const end = forecastRange.at(-1)
  if (end === undefined) return null
  const toLine = (ranges: typeof forecastRange, bound: 'low' | 'high' | 'expected') =>
    toPath(ranges.map((range) => ({ x: x(range.day), y: y(range[bound]) })))
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
  const { days, todayCycleDay, cohorts, forecastRange } = curves
  const forecastEnd = forecastRange.at(-1)
  const lines = cohorts.flatMap(({ year, counts }, cohortIndex) => {
    const isChosen = year === page.cohort
    // The last point of the chosen cohort is drawn at today, because its week is not over.
    const lastX = isChosen ? Math.max(x(todayCycleDay), MARGIN.left) : right
    const points = counts.map((count, dayIndex) => {
      return { x: Math.min(x(days[dayIndex] ?? 0), lastX), y: y(estimateCount(count)) }
    })
    const end = points.at(-1)
    if (end === undefined) return []
    const label =
      isChosen && forecastEnd !== undefined && total.forecast !== null
        ? { y: y((forecastEnd.low + forecastEnd.high) / 2), text: t('range', total.forecast) }
        : { y: end.y, text: formatCount(counts.at(-1) ?? 0) }
    return [{ year, points, ...label, style: COHORT_STYLES[cohortIndex] }]
  })
  return (
    <>
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        {lines.toReversed().map(({ year, points, style }) => (
          <path key={year} d={`M${toPath(points)}`} {...style?.line} />
        ))}
      </g>
      <g className="tabular font-semibold">
        {spreadLabels(lines).map((label) => (
          <text key={label.year} x={right + 12} y={label.y + 4} className={label.style?.labelClass}>
            {isNarrow ? label.year : `${label.year}:  ${label.text}`}
          </text>
        ))}
      </g>
    </>
  )
}

/** Each week has a `<title>`, so that the browser shows its numbers on hover. */
function WeekTitles({ page, x, baseline }: PlotGeometry) {
  const { formatPoint } = useDayFormat(page)
  const { formatCount } = useFigureFormat()
  const { days, cohorts } = page.board.curves
  const weekWidth = x(WEEK_DAYS) - x(0)
  const fullHeight = { y: MARGIN.top, height: baseline - MARGIN.top }
  return days.map((day, dayIndex) => {
    if (!endsWeek(days, dayIndex)) return null
    const cohortTexts = cohorts.flatMap(({ year, counts }) => {
      const count = counts[dayIndex]
      return count === undefined ? [] : [`${year}: ${formatCount(count)}`]
    })
    return (
      <rect key={day} x={x(day) - weekWidth / 2} width={weekWidth} {...fullHeight} fillOpacity="0">
        <title suppressHydrationWarning>{[formatPoint(day), ...cohortTexts].join('\n')}</title>
      </rect>
    )
  })
}

const toPath = (points: readonly { x: number; y: number }[]) =>
  points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')

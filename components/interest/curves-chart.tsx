import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useCallback, useId, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { chooseTicks, spreadLabels } from '@/lib/interest/axis'
import { findDayZero, toCycleDay } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { estimateCount } from '@/lib/interest/rounding'
import { formatDayMonth, formatMonth } from '@/lib/time/format-date'
import { dayText } from '@/lib/time/stockholm'
import { ChartCard, type ChartSource } from './chart-card'
import { useFigureFormat } from './figure-format'

export const CURVES_ID = 'curves'

// All sizes are in px. In a box narrower than this the whole drawing is scaled down, because its texts would not fit.
const MIN_WIDTH = 240
const WIDTH_BEFORE_MEASURED = 720
/** An A4 sheet has this much room within its margins. */
const SHEET_WIDTH = 700
/** Below the first width letters replace words; from the second on there is room for every month's name. */
const [NARROW, WIDE] = [400, 640]
/** These are margins. On the right, labels say a year and where it ended, or on a narrow drawing only the year. */
const [LEFT, TOP, BOTTOM, RIGHT, NARROW_RIGHT] = [44, 24, 26, 126, 44]

export function CurvesChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const { curves, all, schools } = page.board
  const { days, cohorts, fan } = curves
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const format = useFormatter()
  const dayName = useDayName(page)
  const [width, setWidth] = useState(WIDTH_BEFORE_MEASURED)
  // The drawing is as wide as its box, in px at the usual size of text, so that it grows with the user's.
  const measure = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const textSize = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      const measured = Math.round((entry?.contentRect.width ?? 0) / textSize)
      if (measured > 0) setWidth(Math.max(MIN_WIDTH, measured))
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const figures = {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [dayName(day), day, ...cohorts.map(({ counts }) => counts[index] ?? null)]),
  }
  const basis = fan.length > 0 && all.forecast ? all.forecast.years.toSorted((a, b) => b - a) : []
  const basisYears = format.list(basis.map(String), { type: 'conjunction' })
  const formatDay = (day: number) => formatDayMonth(findDayZero(page.cohort, page.cycle) + day, locale)
  return (
    <ChartCard
      id={CURVES_ID}
      title={t(fan.length > 0 ? 'title' : 'titleAlone')}
      note={basis.length === 0 ? t('note') : t('basis', { count: basis.length, years: basisYears })}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      tableFigures={{ ...figures, rows: figures.rows.filter((_, index) => endsWeek(days, index)) }}
      className="h-full"
    >
      <div
        ref={measure}
        role="img"
        className="[&>svg]:h-auto [&>svg]:w-full"
        aria-label={t(page.isRounded ? 'summaryOfWeeks' : 'summary', {
          years: cohorts.map(({ year }) => year).join(', '),
        })}
      >
        <CurvesPlot page={page} width={width} height={width < NARROW ? 260 : 340} className="print:hidden" />
        {/* On paper the drawing is lower the longer the table of schools is, which prints at most twelve rows. */}
        <CurvesPlot
          page={page}
          width={SHEET_WIDTH}
          height={325 - 14 * Math.min(8, Math.max(0, schools.length - 4))}
          className="hidden print:block"
        />
      </div>
      <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
        {listCalendarSteps(page).map(({ name, letter, startDay, endDay }) => (
          <li key={name} suppressHydrationWarning>
            {letter !== null && <b className="mr-1 font-semibold text-ink desk:hidden print:hidden">{letter}</b>}
            <span>{t(`step.${name}`)}</span>{' '}
            <span className="tabular text-faint">
              {endDay === null ? formatDay(startDay) : t('span', { from: formatDay(startDay), to: formatDay(endDay) })}
            </span>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}

/** Lists the dates of the admission, in days from its day zero. A narrow drawing has letters instead of names. */
function listCalendarSteps({ cycle, cohort }: InterestPage) {
  const day = (date: string) => toCycleDay(cohort, date) - findDayZero(cohort, cycle)
  const [opens, closes] = [day(cycle.applicationOpens), day(cycle.applicationCloses)]
  const [preliminary, changesEnd] = [day(cycle.preliminary), day(cycle.changePeriodEnds)]
  return [
    { name: 'application', letter: 'A', startDay: opens, endDay: closes },
    { name: 'preliminary', letter: null, startDay: preliminary, endDay: null },
    { name: 'changes', letter: 'B', startDay: preliminary, endDay: changesEnd },
    { name: 'final', letter: 'C', startDay: day(cycle.final), endDay: null },
    { name: 'reserves', letter: null, startDay: day(cycle.reservesEnd), endDay: null },
  ] as const
}

/** Returns whether the day ends a whole week, counted from the day zero, or is the last one. */
function endsWeek(days: readonly number[], index: number): boolean {
  return (days[index] ?? 0) % 7 === 0 || index === days.length - 1
}

/** Returns a function that writes a day as `19 nov`, on a rounded page as the week that ends then, `13 nov–19 nov`. */
function useDayName({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const formatDay = (cycleDay: number) => formatDayMonth(findDayZero(cohort, cycle) + cycleDay, locale)
  return (day: number) => (isRounded ? t('span', { from: formatDay(day - 6), to: formatDay(day) }) : formatDay(day))
}

type PlotProps = { page: InterestPage; width: number; height: number; className: string }
type Scale = (value: number) => number
/** The season is drawn from `LEFT` to `right`, where labels stand after it, and from `TOP` down to `baseline`. */
type PlotGeometry = { page: InterestPage; x: Scale; y: Scale; baseline: number; right: number; isNarrow: boolean }

function CurvesPlot({ page, width, height, className }: PlotProps) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const format = useFormatter()
  const { days, today, cohorts, fan } = page.board.curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  const isNarrow = width < NARROW
  const [baseline, right] = [height - BOTTOM, width - (isNarrow ? NARROW_RIGHT : RIGHT)]
  const x: Scale = (cycleDay) => LEFT + ((cycleDay - firstDay) / (lastDay - firstDay)) * (right - LEFT)
  const endCounts = [...cohorts.map(({ counts }) => estimateCount(counts.at(-1) ?? 0)), fan.at(-1)?.high ?? 0]
  const ticks = chooseTicks(Math.max(0, ...endCounts), page.isRounded ? 5 : 1)
  const y: Scale = (value) => baseline - (value / (ticks.at(-1) ?? 1)) * (baseline - TOP)
  const dayZeroEpoch = findDayZero(page.cohort, page.cycle)
  const allDays = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
  const months = allDays.filter((day) => dayText(dayZeroEpoch + day).endsWith('-01'))
  const plot = { page, x, y, baseline, right, isNarrow }
  return (
    <svg
      data-picture
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      // The box around the drawing has its name.
      aria-hidden="true"
      className={cn('text-[11.5px] print:text-[10.5px]', className)}
    >
      <CalendarBands {...plot} />
      {ticks.map((value) => (
        <g key={value}>
          <path d={`M${LEFT} ${y(value)}H${right}`} className={value ? 'stroke-line-soft' : 'stroke-line'} />
          <text x={LEFT - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
            {format.number(value)}
          </text>
        </g>
      ))}
      {months.map((day, index) => (
        <g key={day}>
          <path d={`M${x(day)} ${baseline}v4`} className="stroke-line" />
          {(width >= WIDE || index % 2 === 0) && (
            <text suppressHydrationWarning x={x(day)} y={baseline + 17} textAnchor="middle" className="fill-faint">
              {formatMonth(dayZeroEpoch + day, locale)}
            </text>
          )}
        </g>
      ))}
      {today >= firstDay && today <= lastDay && (
        <g>
          <path d={`M${x(today)} ${TOP}V${baseline}`} className="stroke-accent" />
          <text x={x(today) + 4} y={TOP + 10} className="fill-accent font-medium">
            {t('today')}
          </text>
        </g>
      )}
      <CohortLines {...plot} />
    </svg>
  )
}

function CalendarBands({ page, x, baseline, isNarrow }: PlotGeometry) {
  const t = useTranslations('interest.curves.step')
  const hatch = useId()
  const fills = { application: { className: 'fill-accent-soft' }, changes: { fill: `url(#${hatch})` } }
  return (
    <g>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-warn" />
        <path d="M0 0V5" className="stroke-line" strokeWidth="1.5" />
      </pattern>
      {listCalendarSteps(page).map(({ name, letter, startDay, endDay }) => (
        <g key={name}>
          {endDay !== null && (
            <rect x={x(startDay)} width={x(endDay) - x(startDay)} y={TOP} height={baseline - TOP} {...fills[name]} />
          )}
          {(name === 'preliminary' || name === 'final') && (
            <path d={`M${x(startDay)} ${TOP}V${baseline}`} className="stroke-line" />
          )}
          {letter !== null && (
            <text
              x={endDay === null ? x(startDay) - 8 : (x(startDay) + x(endDay)) / 2}
              y={TOP - 8}
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

/** Draws the course of each cohort, labelled with its year and end, and where the chosen one may go from today on. */
function CohortLines({ page, x, y, baseline, right, isNarrow }: PlotGeometry) {
  const t = useTranslations('interest.curves')
  const dayName = useDayName(page)
  const { formatCount } = useFigureFormat()
  const { curves, all } = page.board
  const { days, today, cohorts, fan } = curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  const lines = cohorts.map(({ year, counts }, index) => {
    // The point of the unfinished week is drawn at today.
    const lastX = x(year === page.cohort ? Math.max(today, firstDay) : lastDay)
    const points = counts.map((count, dayIndex) => ({
      x: Math.min(x(days[dayIndex] ?? lastDay), lastX),
      y: y(estimateCount(count)),
    }))
    return { year, points, look: lineStyles[index] ?? lineStyles[2], ended: formatCount(counts.at(-1) ?? 0) }
  })
  const last = fan.at(-1)
  const labels = lines.flatMap(({ year, points, look, ended }) => {
    const end = points.at(-1)
    if (end === undefined) return []
    if (year !== page.cohort || last === undefined || all.forecast === null)
      return [{ year, look, ...end, isWholeSeason: points.length === days.length, ended }]
    const middle = y((last.low + last.high) / 2)
    return [{ year, look, x: end.x, y: middle, isWholeSeason: true, ended: t('range', all.forecast) }]
  })
  // Labels of whole seasons stand beside the drawing, the others at the ends of their lines.
  const spread = spreadLabels(labels.filter(({ isWholeSeason }) => isWholeSeason))
  const fanPath = (ends: typeof fan, part: 'low' | 'high' | 'expected') =>
    toPath(ends.map((end) => ({ x: x(end.day), y: y(end[part]) })))
  const fanLine = { fill: 'none', className: 'stroke-accent' }
  const weekWidth = x(7) - x(0)
  return (
    <>
      {last !== undefined && (
        <>
          <path
            d={`M${fanPath(fan, 'high')}L${fanPath(fan.toReversed(), 'low')}Z`}
            className="fill-accent"
            fillOpacity="0.18"
          />
          <path d={`M${fanPath(fan, 'expected')}`} {...fanLine} strokeDasharray="2 3" strokeWidth="1.4" />
          <path d={`M${right + 3} ${y(last.high)}h4V${y(last.low)}h-4`} {...fanLine} strokeWidth="1.5" />
        </>
      )}
      {lines
        .toReversed()
        .map(
          ({ year, points, look }) =>
            points.length > 0 && <path key={year} d={`M${toPath(points)}`} fill="none" {...look.line} />,
        )}
      {[...labels.filter(({ isWholeSeason }) => !isWholeSeason), ...spread].map((label) => (
        <text
          key={label.year}
          x={label.isWholeSeason ? right + 12 : label.x - 8}
          y={label.isWholeSeason ? label.y + 4 : label.y - 8}
          textAnchor={label.isWholeSeason ? 'start' : 'end'}
          className={`tabular font-semibold ${label.look.fill}`}
        >
          {label.isWholeSeason && !isNarrow ? `${label.year}:  ${label.ended}` : label.year}
        </text>
      ))}
      {/* The `<title>` of each week lets the browser show its numbers at the pointer. */}
      {days.map((day, index) => {
        if (!endsWeek(days, index)) return null
        const numbers = cohorts.flatMap(({ year, counts: { [index]: count } }) =>
          count === undefined ? [] : [`${year}: ${formatCount(count)}`],
        )
        return (
          <rect key={day} x={x(day) - weekWidth / 2} y={TOP} width={weekWidth} height={baseline - TOP} fillOpacity="0">
            <title suppressHydrationWarning>{[dayName(day), ...numbers].join('\n')}</title>
          </rect>
        )
      })}
    </>
  )
}

const toPath = (points: readonly { x: number; y: number }[]) =>
  points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')

const roundLine = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const
/** The cohorts, the chosen one first, differ by dashes and width too, because paper may be grey. */
const lineStyles = [
  { fill: 'fill-accent', line: { ...roundLine, className: 'stroke-accent', strokeWidth: 2.75 } },
  { fill: 'fill-mute', line: { ...roundLine, className: 'stroke-mute', strokeDasharray: '7 4', strokeWidth: 1.75 } },
  {
    fill: 'fill-faint',
    line: { ...roundLine, className: 'stroke-faint', strokeDasharray: '1.5 4', strokeWidth: 1.75 },
  },
] as const

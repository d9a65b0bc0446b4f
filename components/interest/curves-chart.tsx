import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { sizeOf, spreadLabels, ticksTo } from '@/lib/interest/axis'
import { dayZero } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth } from '@/lib/time/format-date'
import { ChartCard, type ChartSource } from './chart-card'
import { CalendarBands, CycleKey, MonthAxis, NARROW, Today, TOP } from './cycle-axis'
import { useFigureWords } from './figure-words'
import { Chart, Drawing, heightScale, type Scale, ValueAxis } from './plot-frame'

export const CURVES_ID = 'curves'

export function CurvesChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const { days, cohorts, fan } = page.board.curves
  const t = useTranslations('interest.curves')
  const dayName = useDayName(page)
  const figures = {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [dayName(day), day, ...cohorts.map(({ counts }) => counts[index] ?? null)]),
  }
  const years = cohorts.map(({ year }) => year).join(', ')
  return (
    <ChartCard
      id={CURVES_ID}
      title={t(fan.length > 0 ? 'title' : 'titleAlone')}
      note={useBasis(page)}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      table={{ ...figures, rows: figures.rows.filter((_, place) => isWeekEnd(days, place)) }}
      className="h-full"
    >
      <ul aria-hidden="true" className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-mute">
        {cohorts.map(({ year }, index) => (
          <li key={year} className="flex items-center gap-1.5">
            <CurveSwatch index={index} />
            {t('autumn', { year: String(year) })}
          </li>
        ))}
      </ul>
      <Chart summary={t(page.isRounded ? 'summaryOfWeeks' : 'summary', { years })}>
        {({ width, isPaper }) => <CurvesPlot page={page} width={width} isPaper={isPaper} />}
      </Chart>
      <CycleKey cycle={page.cycle} cohort={page.cohort} />
    </ChartCard>
  )
}

/** Of whole weeks from the day zero, and the last day. */
function isWeekEnd(days: readonly number[], place: number): boolean {
  return (days[place] ?? 0) % 7 === 0 || place === days.length - 1
}

/** What the forecast rests on, if there is one. */
function useBasis({ board: { all, curves } }: InterestPage): string {
  const t = useTranslations('interest.curves')
  const format = useFormatter()
  if (all.forecast === null || curves.fan.length === 0) return t('note')
  const years = all.forecast.years.toSorted((a, b) => b - a)
  return t('basis', { count: years.length, years: format.list(years.map(String), { type: 'conjunction' }) })
}

/** `19 nov`, or the week that ends then, `13 nov–19 nov`. */
function useDayName({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const nameOf = (cycleDay: number) => dayAndMonth(dayZero(cohort, cycle) + cycleDay, locale)
  return (day: number) => (isRounded ? t('span', { from: nameOf(day - 6), to: nameOf(day) }) : nameOf(day))
}

type CurvesPlotProps = { page: InterestPage; width: number; isPaper: boolean }

function CurvesPlot({ page, width, isPaper }: CurvesPlotProps) {
  const { days, today, cohorts, fan } = page.board.curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  // The longer the table of schools, the lower.
  const onPaper = Math.max(150, 325 - 14 * Math.max(0, page.board.schools.length - 4))
  const height = isPaper ? onPaper : width < NARROW ? 260 : 340
  const [floor, right] = [height - BOTTOM, width < NARROW ? NARROW_RIGHT : RIGHT]
  const lines = cohorts.map(({ year, counts }, index) => ({
    year,
    values: counts.map(sizeOf),
    look: looks[index] ?? looks[2],
  }))
  const ends = [...lines.map(({ values }) => values.at(-1) ?? 0), fan.at(-1)?.high ?? 0]
  const ticks = ticksTo(Math.max(0, ...ends), 5, page.isRounded ? 5 : 1)
  const x = (cycleDay: number) => LEFT + ((cycleDay - firstDay) / (lastDay - firstDay)) * (width - LEFT - right)
  const y = heightScale(ticks, TOP, floor)
  // What has come of a week under way stands at today.
  const xOf = (place: number, year: number) =>
    x(year === page.cohort ? Math.min(days[place] ?? lastDay, Math.max(today, firstDay)) : (days[place] ?? lastDay))
  const axis = { cycle: page.cycle, cohort: page.cohort, x, floor, width }
  const plot = { page, lines, x, y, floor, width, right: width - right, xOf }
  return (
    <Drawing width={width} height={height}>
      <CalendarBands {...axis} />
      <ValueAxis ticks={ticks} y={y} left={LEFT} right={plot.right} />
      <MonthAxis {...axis} firstDay={firstDay} lastDay={lastDay} />
      <Fan {...plot} />
      {today >= firstDay && today <= lastDay && <Today x={x(today)} floor={floor} />}
      {lines.toReversed().map((line) => (
        <Curve key={line.year} line={line} {...plot} />
      ))}
      <EndLabels {...plot} />
      <WeekNames {...plot} />
    </Drawing>
  )
}

const LEFT = 44
/** Room for a year and its end, or on a narrow drawing for the year. */
const [RIGHT, NARROW_RIGHT] = [126, 44]
const BOTTOM = 26

type Line = { year: number; values: readonly number[]; look: (typeof looks)[number] }
type Plot = {
  page: InterestPage
  lines: readonly Line[]
  x: Scale
  xOf: (place: number, year: number) => number
  y: Scale
  floor: number
  width: number
  /** Where the drawing of the season ends. */
  right: number
}

function Curve({ line: { year, values, look }, xOf, y }: Plot & { line: Line }) {
  if (values.length === 0) return null
  const path = values.map((value, place) => `${xOf(place, year).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
  return <path d={`M${path}`} fill="none" {...strokeOf(look)} strokeLinejoin="round" />
}

/** From today on: the range, the expected course in its middle, and where it ends. */
function Fan({ page, x, y, right }: Plot) {
  const { fan } = page.board.curves
  const last = fan.at(-1)
  if (last === undefined) return null
  const path = (points: readonly (typeof last)[], of: 'low' | 'high' | 'expected') =>
    points.map((point) => `${x(point.day).toFixed(1)} ${y(point[of]).toFixed(1)}`).join('L')
  const [low, high] = [y(last.low), y(last.high)]
  return (
    <>
      <path d={`M${path(fan, 'high')}L${path(fan.toReversed(), 'low')}Z`} className="fill-accent" fillOpacity="0.18" />
      <path
        d={`M${path(fan, 'expected')}`}
        fill="none"
        className="stroke-accent"
        strokeDasharray="2 3"
        strokeWidth="1.4"
      />
      <path d={`M${right + 3} ${high}h4V${low}h-4`} fill="none" className="stroke-accent" strokeWidth="1.5" />
    </>
  )
}

/** Each year with where it ended, the chosen one with its range; above the line where that ends within the drawing. */
function EndLabels({ page, lines, xOf, y, floor, right, width }: Plot) {
  const t = useTranslations('interest.curves')
  const { write } = useFigureWords()
  const { curves, all } = page.board
  const last = curves.fan.at(-1)
  const labels = lines.flatMap(({ year, values, look }) => {
    const end = values.at(-1)
    if (end === undefined) return []
    const isAhead = year === page.cohort && last !== undefined && all.forecast !== null
    const isWhole = isAhead || values.length === curves.days.length
    const { low, high } = (isAhead && (all.forecast ?? last)) || { low: end, high: end }
    const ended = isAhead ? t('range', { low, high }) : write(end)
    return [{ year, values, look, isWhole, ended, y: isAhead ? y((last.low + last.high) / 2) : y(end) }]
  })
  const whole = labels.filter(({ isWhole }) => isWhole)
  const spread = spreadLabels(
    whole.map((label) => label.y),
    14,
    floor - 4,
  )
  return labels.map((label) => {
    const { year, values, look, isWhole, ended } = label
    const where = isWhole
      ? { x: right + 12, y: (spread[whole.indexOf(label)] ?? 0) + 4, textAnchor: 'start' as const }
      : { x: xOf(values.length - 1, year) - 8, y: label.y - 8, textAnchor: 'end' as const }
    return (
      <text key={year} {...where} className={`tabular font-semibold ${look.fill}`}>
        {isWhole && width >= NARROW ? `${year}:  ${ended}` : year}
      </text>
    )
  })
}

/** The browser says a week's numbers where one points at it. */
function WeekNames({ page, x, floor }: Plot) {
  const { days, cohorts } = page.board.curves
  const dayName = useDayName(page)
  const { write } = useFigureWords()
  const width = x(7) - x(0)
  return days.map((day, place) => {
    const numbers = cohorts.flatMap(({ year, counts }) => {
      const count = counts[place]
      return count === undefined ? [] : [`${year}: ${write(count)}`]
    })
    return (
      isWeekEnd(days, place) && (
        <rect key={day} x={x(day) - width / 2} y={TOP} width={width} height={floor - TOP} fillOpacity="0">
          <title suppressHydrationWarning>{[dayName(day), ...numbers].join('\n')}</title>
        </rect>
      )
    )
  })
}

/** They differ by colour, dashes and width, so also on grey paper. The chosen cohort is first. */
const looks = [
  { stroke: 'stroke-accent', fill: 'fill-accent', dash: undefined, width: 2.75 },
  { stroke: 'stroke-mute', fill: 'fill-mute', dash: '7 4', width: 1.75 },
  { stroke: 'stroke-faint', fill: 'fill-faint', dash: '1.5 4', width: 1.75 },
] as const

function strokeOf({ stroke, dash, width }: Line['look']) {
  return { className: stroke, strokeWidth: width, strokeDasharray: dash, strokeLinecap: 'round' } as const
}

function CurveSwatch({ index }: { index: number }) {
  const look = looks[index] ?? looks[2]
  return (
    <svg viewBox="0 0 26 12" aria-hidden="true" className="h-3 w-6.5 shrink-0">
      <path d="M0 6H26" {...strokeOf(look)} />
    </svg>
  )
}

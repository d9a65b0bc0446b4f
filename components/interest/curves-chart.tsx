import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Count } from '@/lib/contract/interest'
import { sizeOf, spreadLabels, ticksTo } from '@/lib/interest/axis'
import type { BoardCurves } from '@/lib/interest/board'
import { dayZero } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth } from '@/lib/time/format-date'
import { ChartCard, type ChartSource } from './chart-card'
import { CalendarBands, CycleKey, MonthAxis, NARROW, Today, TOP } from './cycle-axis'
import { useFigureWords } from './figure-words'
import { ChartReader, Drawing, heightScale, ReadOut, type Scale, ValueAxis } from './plot-frame'

export const CURVES_ID = 'curves'

export function CurvesChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const { days, today, cohorts, fan } = page.board.curves
  const t = useTranslations('interest.curves')
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen ?? Math.min(days.length - 1, days.filter((day) => day < today).length)
  const { dayName, pointName } = useDayNames(page)
  const { write, say } = useCurveWords(page.board.curves)
  const figures = {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [dayName(day), day, ...cohorts.map(({ counts }) => counts[index] ?? null)]),
  }
  const point = pointName(days[at] ?? 0)
  const years = cohorts.map(({ year }) => year).join(', ')
  return (
    <ChartCard
      id={CURVES_ID}
      title={t(fan.length > 0 ? 'title' : 'titleAlone')}
      note={useBasis(page)}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      table={{ ...figures, rows: rowsShown(figures.rows, days, at) }}
      className="h-full"
    >
      <ReadOut
        values={cohorts.map(({ year }, index) => ({
          name: t('autumn', { year: String(year) }),
          swatch: <CurveSwatch index={index} />,
          value: write(index, at),
        }))}
        point={chosen === null ? null : point}
      />
      <ChartReader
        title={t(fan.length > 0 ? 'title' : 'titleAlone')}
        summary={t(page.isRounded ? 'summaryOfWeeks' : 'summary', { years })}
        count={days.length}
        at={at}
        onMove={setChosen}
        valueText={`${point}: ${cohorts.map(({ year }, index) => `${year} ${say(index, at)}`).join(', ')}`}
        pointUnder={(x, width) => dayUnder(x, width, days.length)}
        below={({ width }) => <CycleKey cycle={page.cycle} cohort={page.cohort} withLetters={width < NARROW} />}
      >
        {({ width, isPaper }) => (
          <CurvesPlot page={page} width={width} isPaper={isPaper} at={chosen === null ? null : at} />
        )}
      </ChartReader>
    </ChartCard>
  )
}

/** What the forecast rests on, if there is one. */
function useBasis({ board: { all, curves } }: InterestPage): string {
  const t = useTranslations('interest.curves')
  const format = useFormatter()
  if (all.forecast === null || curves.fan.length === 0) return t('note')
  const years = all.forecast.years.toSorted((a, b) => b - a)
  return t('basis', { count: years.length, years: format.list(years.map(String), { type: 'conjunction' }) })
}

/** A cohort's count on a day; from today on, where it is expected to be. */
function useCurveWords({ cohorts, days, fan }: BoardCurves) {
  const t = useTranslations('interest.curves')
  const format = useFigureWords()
  const wordsOf = (spell: (count: Count) => string, range: 'range' | 'rangeSpoken') => (index: number, at: number) => {
    const count = cohorts[index]?.counts[at]
    if (count !== undefined) return spell(count)
    const ahead = index === 0 && fan.findLast(({ day }) => day <= (days[at] ?? 0))
    return ahead ? t(range, ahead) : t('none')
  }
  return { write: wordsOf(format.write, 'range'), say: wordsOf(format.say, 'rangeSpoken') }
}

/** Of whole weeks from the day zero, of the last day, and of the one that is read out. */
function rowsShown<Row>(rows: readonly Row[], days: readonly number[], at: number): Row[] {
  return rows.filter((_, place) => (days[place] ?? 0) % 7 === 0 || place === at || place === days.length - 1)
}

/** `19 nov`, or the week that ends then, `13 nov–19 nov`; and `19 nov, 88 dagar före 15 feb`. */
function useDayNames({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const nameOf = (cycleDay: number) => dayAndMonth(dayZero(cohort, cycle) + cycleDay, locale)
  const dayName = (day: number) => (isRounded ? t('span', { from: nameOf(day - 6), to: nameOf(day) }) : nameOf(day))
  const pointName = (cycleDay: number) => {
    const words = { days: Math.abs(cycleDay), day: nameOf(0) }
    const distance = t(cycleDay < 0 ? 'distanceBefore' : 'distance', words)
    return t('point', { day: dayName(cycleDay), distance })
  }
  return { dayName, pointName }
}

type CurvesPlotProps = { page: InterestPage; width: number; isPaper: boolean; at: number | null }

function CurvesPlot({ page, width, isPaper, at }: CurvesPlotProps) {
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
      {at !== null && <Cursor {...plot} at={at} />}
    </Drawing>
  )
}

const LEFT = 44
/** Room for a year and its end, or on a narrow drawing for the year. */
const [RIGHT, NARROW_RIGHT] = [126, 44]
const BOTTOM = 26

/** Which day, from 0, lies under a place; that is given as a share of the drawing's width, and `width` in px. */
function dayUnder(share: number, width: number, count: number): number {
  const right = width < NARROW ? NARROW_RIGHT : RIGHT
  return Math.round(((share * width - LEFT) / (width - LEFT - right)) * (count - 1))
}

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

function Cursor({ lines, at, xOf, y, floor }: Plot & { at: number }) {
  const x = xOf(at, 0)
  return (
    <g className="print:hidden">
      <line x1={x} x2={x} y1={TOP} y2={floor} className="stroke-faint" strokeDasharray="2 3" />
      {lines.map(({ year, values, look }) => {
        const value = values[at]
        return value !== undefined && <CurveMark key={year} look={look} x={x} y={y(value)} />
      })}
    </g>
  )
}

/** They differ by colour, dashes, width and mark, so also on grey paper. The chosen cohort is first. */
const looks = [
  { stroke: 'stroke-accent', fill: 'fill-accent', dash: undefined, width: 2.75, mark: null },
  { stroke: 'stroke-mute', fill: 'fill-mute', dash: '7 4', width: 1.75, mark: 'M-4-4H4V4H-4z' },
  { stroke: 'stroke-faint', fill: 'fill-faint', dash: '1.5 4', width: 1.75, mark: 'M0-5 5 4H-5z' },
] as const

function strokeOf({ stroke, dash, width }: Line['look']) {
  return { className: stroke, strokeWidth: width, strokeDasharray: dash, strokeLinecap: 'round' } as const
}

function CurveMark({ look, x, y }: { look: Line['look']; x: number; y: number }) {
  const place = { transform: `translate(${x} ${y})`, className: `${look.fill} stroke-panel`, strokeWidth: 1.5 }
  return look.mark === null ? <circle r="5" {...place} /> : <path d={look.mark} {...place} />
}

function CurveSwatch({ index }: { index: number }) {
  const look = looks[index] ?? looks[2]
  return (
    <svg viewBox="0 0 26 12" aria-hidden="true" className="h-3 w-6.5 shrink-0">
      <path d="M0 6H26" {...strokeOf(look)} />
      <CurveMark look={look} x={13} y={6} />
    </svg>
  )
}

import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { sizeOf, spreadLabels, ticksTo } from '@/lib/interest/axis'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth, monthName } from '@/lib/time/format-date'
import { dayText } from '@/lib/time/stockholm'
import { ChartCard, type ChartSource, Drawing } from './chart-card'
import { useFigureWords } from './figure-words'

export const CURVES_ID = 'curves'

export function CurvesChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const { all, curves } = page.board
  const { days, cohorts, fan } = curves
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const format = useFormatter()
  const dayName = useDayName(page)
  const [box, sheet] = useSheet()
  const figures = {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [dayName(day), day, ...cohorts.map(({ counts }) => counts[index] ?? null)]),
  }
  const years = cohorts.map(({ year }) => year).join(', ')
  const basis = fan.length > 0 && all.forecast ? all.forecast.years.toSorted((a, b) => b - a) : []
  const basisYears = format.list(basis.map(String), { type: 'conjunction' })
  const zero = dayZero(page.cohort, page.cycle)
  const shortDay = (day: number) => dayAndMonth(zero + day, locale)
  return (
    <ChartCard
      id={CURVES_ID}
      title={t(fan.length > 0 ? 'title' : 'titleAlone')}
      note={basis.length === 0 ? t('note') : t('basis', { count: basis.length, years: basisYears })}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      table={{ ...figures, rows: figures.rows.filter((_, place) => isWeekEnd(days, place)) }}
      className="h-full"
    >
      <div
        ref={box}
        role="img"
        aria-label={t(page.isRounded ? 'summaryOfWeeks' : 'summary', { years })}
        className="[&>svg]:block [&>svg]:h-auto [&>svg]:w-full"
      >
        <CurvesPlot page={page} {...sheet} />
      </div>
      <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
        {calendarOf(page).map(({ name, letter, from, to }) => (
          <li key={name} suppressHydrationWarning>
            {letter !== null && <b className="mr-1 font-semibold text-ink desk:hidden print:hidden">{letter}</b>}
            <span>{t(`step.${name}`)}</span>{' '}
            <span className="tabular text-faint">
              {to === null ? shortDay(from) : t('span', { from: shortDay(from), to: shortDay(to) })}
            </span>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}

/** The admission's days from the day zero; on a narrow drawing their letters stand for their names. */
function calendarOf({ cycle, cohort }: InterestPage) {
  const day = (date: string) => cycleDate(cohort, date) - dayZero(cohort, cycle)
  const [opens, closes] = [day(cycle.applicationOpens), day(cycle.applicationCloses)]
  const [preliminary, changesEnd] = [day(cycle.preliminary), day(cycle.changePeriodEnds)]
  return [
    { name: 'application', letter: 'A', from: opens, to: closes },
    { name: 'preliminary', letter: null, from: preliminary, to: null },
    { name: 'changes', letter: 'B', from: preliminary, to: changesEnd },
    { name: 'final', letter: 'C', from: day(cycle.final), to: null },
    { name: 'reserves', letter: null, from: day(cycle.reservesEnd), to: null },
  ] as const
}

/** Whether a day ends a whole week from the day zero, or is the last. */
function isWeekEnd(days: readonly number[], place: number): boolean {
  return (days[place] ?? 0) % 7 === 0 || place === days.length - 1
}

/** `19 nov`, or the week that ends then, `13 nov–19 nov`. */
function useDayName({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const nameOf = (cycleDay: number) => dayAndMonth(dayZero(cohort, cycle) + cycleDay, locale)
  return (day: number) => (isRounded ? t('span', { from: nameOf(day - 6), to: nameOf(day) }) : nameOf(day))
}

const BEFORE_MEASURED = 720
/** Narrower, a drawing is made smaller as a whole: its texts would not fit. */
const MIN_WIDTH = 240
/** What an A4 sheet has room for within its margins, in px. */
const SHEET = 700

/** As wide as its box, or as the paper, in px at the usual size of text: a drawing grows with the user's. */
function useSheet() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(BEFORE_MEASURED)
  const [isPaper, setPaper] = useState(false)
  useEffect(() => {
    // The sheet is taken when the event is over, so the drawing must be there by then.
    const before = () => flushSync(() => setPaper(true))
    const after = () => setPaper(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    const observer = new ResizeObserver(([entry]) => {
      const textSize = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      const measured = Math.round((entry?.contentRect.width ?? 0) / textSize)
      if (measured > 0) setWidth(Math.max(MIN_WIDTH, measured))
    })
    if (box.current) observer.observe(box.current)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
      observer.disconnect()
    }
  }, [])
  return [box, { width: isPaper ? SHEET : width, isPaper }] as const
}

/** In px. Narrower drawings have letters for words; the widest have room for the name of every month. */
const [NARROW, WIDE] = [400, 640]
const [LEFT, TOP, BOTTOM] = [44, 24, 26]
/** Room for a year and its end, or on a narrow drawing for the year. */
const [RIGHT, NARROW_RIGHT] = [126, 44]
type Scale = (value: number) => number
type Line = { year: number; values: readonly number[]; look: (typeof looks)[number]; x: Scale }
type Plot = {
  page: InterestPage
  lines: readonly Line[]
  x: Scale
  y: Scale
  floor: number
  /** The season is drawn up to here; labels stand after it. */
  right: number
  isNarrow: boolean
}

function CurvesPlot({ page, width, isPaper }: { page: InterestPage; width: number; isPaper: boolean }) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const format = useFormatter()
  const { days, today, cohorts, fan } = page.board.curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  const isNarrow = width < NARROW
  // The drawing is lower where the table of schools is longer, of which a sheet has twelve rows.
  const onPaper = 325 - 14 * Math.min(8, Math.max(0, page.board.schools.length - 4))
  const height = isPaper ? onPaper : isNarrow ? 260 : 340
  const [floor, right] = [height - BOTTOM, width - (isNarrow ? NARROW_RIGHT : RIGHT)]
  const x: Scale = (cycleDay) => LEFT + ((cycleDay - firstDay) / (lastDay - firstDay)) * (right - LEFT)
  const lines = cohorts.map(({ year, counts }, index) => ({
    year,
    values: counts.map(sizeOf),
    look: looks[index] ?? looks[2],
    // What has come of a week under way stands at today.
    x: (place: number) =>
      x(Math.min(days[place] ?? lastDay, year === page.cohort ? Math.max(today, firstDay) : lastDay)),
  }))
  const ends = [...lines.map(({ values }) => values.at(-1) ?? 0), fan.at(-1)?.high ?? 0]
  const ticks = ticksTo(Math.max(0, ...ends), 5, page.isRounded ? 5 : 1)
  const y: Scale = (value) => floor - (value / (ticks.at(-1) ?? 1)) * (floor - TOP)
  const zero = dayZero(page.cohort, page.cycle)
  const allDays = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
  const months = allDays.filter((day) => dayText(zero + day).endsWith('-01'))
  const plot = { page, lines, x, y, floor, right, isNarrow }
  return (
    <Drawing width={width} height={height}>
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
          <path d={`M${x(day)} ${floor}v4`} className="stroke-line" />
          {(width >= WIDE || index % 2 === 0) && (
            <text suppressHydrationWarning x={x(day)} y={floor + 17} textAnchor="middle" className="fill-faint">
              {monthName(zero + day, locale)}
            </text>
          )}
        </g>
      ))}
      <Fan {...plot} />
      {today >= firstDay && today <= lastDay && (
        <g>
          <path d={`M${x(today)} ${TOP}V${floor}`} className="stroke-accent" />
          <text x={x(today) + 4} y={TOP + 10} className="fill-accent font-medium">
            {t('today')}
          </text>
        </g>
      )}
      {lines.toReversed().map((line) => {
        const path = line.values.map((value, place) => `${line.x(place).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
        return path !== '' && <path key={line.year} d={`M${path}`} fill="none" {...line.look.line} />
      })}
      <EndLabels {...plot} />
      <WeekNames {...plot} />
    </Drawing>
  )
}

function CalendarBands({ page, x, floor, isNarrow }: Plot) {
  const t = useTranslations('interest.curves.step')
  const hatch = useId()
  const fills = { application: { className: 'fill-accent-soft' }, changes: { fill: `url(#${hatch})` } }
  return (
    <g>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-warn" />
        <path d="M0 0V5" className="stroke-line" strokeWidth="1.5" />
      </pattern>
      {calendarOf(page).map(({ name, letter, from, to }) => (
        <g key={name}>
          {to !== null && <rect x={x(from)} width={x(to) - x(from)} y={TOP} height={floor - TOP} {...fills[name]} />}
          {(name === 'preliminary' || name === 'final') && (
            <path d={`M${x(from)} ${TOP}V${floor}`} className="stroke-line" />
          )}
          {letter !== null && (
            <text
              x={to === null ? x(from) - 8 : (x(from) + x(to)) / 2}
              y={TOP - 8}
              textAnchor={to === null ? 'start' : 'middle'}
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

/** From today on: the range, the expected course in its middle, and where it ends. */
function Fan({ page, x, y, right }: Plot) {
  const { fan } = page.board.curves
  const last = fan.at(-1)
  if (last === undefined) return null
  const path = (points: readonly (typeof last)[], part: 'low' | 'high' | 'expected') =>
    points.map((point) => `${x(point.day).toFixed(1)} ${y(point[part]).toFixed(1)}`).join('L')
  const line = { fill: 'none', className: 'stroke-accent' }
  return (
    <>
      <path d={`M${path(fan, 'high')}L${path(fan.toReversed(), 'low')}Z`} className="fill-accent" fillOpacity="0.18" />
      <path d={`M${path(fan, 'expected')}`} {...line} strokeDasharray="2 3" strokeWidth="1.4" />
      <path d={`M${right + 3} ${y(last.high)}h4V${y(last.low)}h-4`} {...line} strokeWidth="1.5" />
    </>
  )
}

/** Each year with where it ended, the chosen one with its range; above the line where that ends within the drawing. */
function EndLabels({ page, lines, y, floor, right, isNarrow }: Plot) {
  const t = useTranslations('interest.curves')
  const { write } = useFigureWords()
  const { curves, all } = page.board
  const [last, { forecast }] = [curves.fan.at(-1), all]
  const labels = lines.flatMap(({ year, values, look: { fill }, x }) => {
    const end = values.at(-1)
    if (end === undefined) return []
    const from = x(values.length - 1) - 8
    if (year === page.cohort && last !== undefined && forecast !== null)
      return [{ year, fill, from, isWhole: true, ended: t('range', forecast), y: y((last.low + last.high) / 2) }]
    return [{ year, fill, from, isWhole: values.length === curves.days.length, ended: write(end), y: y(end) }]
  })
  const whole = labels.filter(({ isWhole }) => isWhole)
  const places = whole.map((label) => label.y)
  const spread = spreadLabels(places, 14, floor - 4)
  return labels.map((label) => (
    <text
      key={label.year}
      x={label.isWhole ? right + 12 : label.from}
      y={label.isWhole ? (spread[whole.indexOf(label)] ?? 0) + 4 : label.y - 8}
      textAnchor={label.isWhole ? 'start' : 'end'}
      className={`tabular font-semibold ${label.fill}`}
    >
      {label.isWhole && !isNarrow ? `${label.year}:  ${label.ended}` : label.year}
    </text>
  ))
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

const round = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const
/** They differ by colour, dashes and width, so also on grey paper. The chosen cohort is first. */
const looks = [
  { fill: 'fill-accent', line: { ...round, className: 'stroke-accent', strokeWidth: 2.75 } },
  { fill: 'fill-mute', line: { ...round, className: 'stroke-mute', strokeDasharray: '7 4', strokeWidth: 1.75 } },
  { fill: 'fill-faint', line: { ...round, className: 'stroke-faint', strokeDasharray: '1.5 4', strokeWidth: 1.75 } },
] as const

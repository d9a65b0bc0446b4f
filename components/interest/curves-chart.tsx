import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { Count } from '@/lib/contract/interest'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { sizeOf, spreadLabels, ticksTo } from '@/lib/interest/axis'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth, monthName } from '@/lib/time/format-date'
import { epochDayOf } from '@/lib/time/weeks'
import { ChartCard, type ChartSource } from './chart-card'
import { useCountFormat } from './figure-words'
import { ChartReader, Drawing, heightScale, ReadOut, type Scale, ValueAxis } from './plot-frame'

export function CurvesChart({ page, unit, source }: { page: InterestPage; unit: Unit; source: ChartSource }) {
  const { cohort, cycle, isRounded } = page
  const { days, today, cohorts } = page.curves
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const { write, say } = useCountFormat()
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen ?? Math.min(days.length - 1, days.filter((day) => day < today).length)
  const { dayName, pointName } = useDayNames(page)
  const valueOf = (curve: (typeof cohorts)[number], spell: (count: Count) => string) => {
    const count = curve[unit][at]
    return count === undefined ? t('none') : spell(count)
  }
  const figures = {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [dayName(day), day, ...cohorts.map((curve) => curve[unit][index] ?? null)]),
  }
  const point = pointName(days[at] ?? 0)
  return (
    <ChartCard
      title={t(`title.${unit}`)}
      note={t('note', { day: dayAndMonth(dayZero(cohort, cycle), locale) })}
      file={{ ...source, name: `${t('fileName')}-${cohort}` }}
      figures={figures}
      table={{ ...figures, rows: rowsShown(figures.rows, days, at) }}
      className="h-full"
    >
      <ReadOut
        values={cohorts.map((curve, index) => ({
          name: String(curve.year),
          swatch: <CurveSwatch index={index} />,
          value: valueOf(curve, write),
        }))}
        point={point}
      />
      <ChartReader
        title={t(`title.${unit}`)}
        summary={t(isRounded ? 'summaryOfWeeks' : 'summary', { years: cohorts.map(({ year }) => year).join(', ') })}
        count={days.length}
        at={at}
        onMove={setChosen}
        valueText={`${point}: ${cohorts.map((curve) => `${curve.year} ${valueOf(curve, say)}`).join(', ')}`}
        pointUnder={(x, _, width) => dayUnder(x, width, days.length)}
        below={({ width }) => <CycleKey cycle={cycle} cohort={cohort} withLetters={width < 600} />}
      >
        {({ width }) => <CurvesPlot page={page} unit={unit} width={width} at={at} />}
      </ChartReader>
    </ChartCard>
  )
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

function CycleKey({ cycle, cohort, withLetters }: { cycle: AdmissionCycle; cohort: number; withLetters: boolean }) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const day = (date: string) => dayAndMonth(cycleDate(cohort, date), locale)
  const span = (from: string, to: string) => t('span', { from: day(from), to: day(to) })
  const steps = [
    { letter: 'A', name: t('step.application'), when: span(cycle.applicationOpens, cycle.applicationCloses) },
    { letter: null, name: t('step.preliminary'), when: day(cycle.preliminary) },
    { letter: 'B', name: t('step.changes'), when: span(cycle.preliminary, cycle.changePeriodEnds) },
    { letter: 'C', name: t('step.final'), when: day(cycle.final) },
    { letter: null, name: t('step.reserves'), when: day(cycle.reservesEnd) },
  ]
  return (
    <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
      {steps.map(({ letter, name, when }) => (
        <li key={name} suppressHydrationWarning>
          {withLetters && letter !== null && <b className="mr-1 font-semibold text-ink">{letter}</b>}
          {name} <span className="tabular text-faint">{when}</span>
        </li>
      ))}
    </ul>
  )
}

function CurvesPlot({ page, unit, width, at }: { page: InterestPage; unit: Unit; width: number; at: number }) {
  const { curves, isRounded } = page
  const { days, today } = curves
  const [firstDay = 0, lastDay = 1] = [days.at(0), days.at(-1)]
  const height = width < NARROW ? 250 : 380
  const floor = height - BOTTOM
  const lines = curves.cohorts.map(({ year, [unit]: counts }, index) => ({
    year,
    values: counts.map(sizeOf),
    look: looks[index] ?? looks[2],
  }))
  const ticks = ticksTo(Math.max(0, ...lines.map(({ values }) => values.at(-1) ?? 0)), 5, isRounded ? 5 : 1)
  const x = (cycleDay: number) => LEFT + ((cycleDay - firstDay) / (lastDay - firstDay)) * (width - LEFT - RIGHT)
  const y = heightScale(ticks, TOP, floor)
  const plot = { page, lines, x, y, floor, width, xOf: (place: number) => x(days[place] ?? lastDay) }
  return (
    <Drawing width={width} height={height}>
      <CalendarBands {...plot} />
      <ValueAxis ticks={ticks} y={y} left={LEFT} right={width - RIGHT} />
      <MonthAxis {...plot} firstDay={firstDay} lastDay={lastDay} />
      {today >= firstDay && today <= lastDay && <Today x={x(today)} floor={floor} />}
      {lines.map((line) => (
        <Curve key={line.year} line={line} {...plot} />
      ))}
      <EndLabels {...plot} />
      <Cursor {...plot} at={at} />
    </Drawing>
  )
}

const LEFT = 44
const RIGHT = 44
const TOP = 24
const BOTTOM = 26
const NARROW = 600

/** Which day, from 0, lies under a place; that is given as a share of the drawing's width, and `width` in px. */
function dayUnder(share: number, width: number, count: number): number {
  return Math.round(((share * width - LEFT) / (width - LEFT - RIGHT)) * (count - 1))
}

type Line = { year: number; values: readonly number[]; look: (typeof looks)[number] }
type Plot = {
  page: InterestPage
  lines: readonly Line[]
  x: Scale
  xOf: Scale
  y: Scale
  floor: number
  width: number
}

function Today({ x, floor }: { x: number; floor: number }) {
  const t = useTranslations('interest.curves')
  return (
    <g>
      <line x1={x} x2={x} y1={TOP} y2={floor} className="stroke-accent" />
      <text x={x + 4} y={TOP + 10} className="fill-accent font-medium">
        {t('today')}
      </text>
    </g>
  )
}

function Curve({ line: { values, look }, xOf, y }: Plot & { line: Line }) {
  if (values.length === 0) return null
  const path = values.map((value, place) => `${xOf(place).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
  return <path d={`M${path}`} fill="none" {...strokeOf(look)} strokeLinejoin="round" />
}

/** Each line has its year at its end; above it where the line ends within the drawing. */
function EndLabels({ page, lines, xOf, y, floor }: Plot) {
  const isComplete = ({ values }: Line) => values.length === page.curves.days.length
  const endOf = ({ values }: Line) => y(values.at(-1) ?? 0)
  const spread = spreadLabels(lines.filter(isComplete).map(endOf), 13, floor - 4)
  return lines.map((line) => {
    const x = xOf(Math.max(0, line.values.length - 1))
    const where = isComplete(line)
      ? { x: x + 7, y: (spread.shift() ?? 0) + 4, textAnchor: 'start' as const }
      : { x: x - 8, y: endOf(line) - 8, textAnchor: 'end' as const }
    return (
      <text key={line.year} {...where} className={`tabular font-semibold ${line.look.fill}`}>
        {line.year}
      </text>
    )
  })
}

function Cursor({ lines, at, xOf, y, floor }: Plot & { at: number }) {
  const x = xOf(at)
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

function CalendarBands({ page: { cycle, cohort }, x, floor, width }: Plot) {
  const t = useTranslations('interest.curves.short')
  const hatch = useId()
  const place = (date: string) => x(cycleDate(cohort, date) - dayZero(cohort, cycle))
  const opens = place(cycle.applicationOpens)
  const closes = place(cycle.applicationCloses)
  const preliminary = place(cycle.preliminary)
  const changesEnd = place(cycle.changePeriodEnds)
  const final = place(cycle.final)
  const band = { y: TOP, height: floor - TOP }
  const labels = [
    { x: (opens + closes) / 2, letter: 'A', name: t('application') },
    { x: (preliminary + changesEnd) / 2, letter: 'B', name: t('changes') },
    { x: final, letter: 'C', name: t('final') },
  ]
  return (
    <g>
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-warn" />
        <line x1="0" x2="0" y1="0" y2="5" className="stroke-line" strokeWidth="1.5" />
      </pattern>
      <rect x={opens} width={closes - opens} {...band} className="fill-accent-soft" />
      <rect x={preliminary} width={changesEnd - preliminary} {...band} fill={`url(#${hatch})`} />
      <line x1={preliminary} x2={preliminary} y1={TOP} y2={floor} className="stroke-line" />
      <line x1={final} x2={final} y1={TOP - 4} y2={floor} className="stroke-line" strokeWidth="1.5" />
      {labels.map(({ x: middle, letter, name }) => (
        <text key={letter} x={middle} y={TOP - 8} textAnchor="middle" className="fill-mute">
          {width < NARROW ? letter : name}
        </text>
      ))}
    </g>
  )
}

type MonthAxisProps = Plot & { firstDay: number; lastDay: number }

function MonthAxis({ page: { cycle, cohort }, x, floor, width, firstDay, lastDay }: MonthAxisProps) {
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
      {(width >= NARROW || index % 2 === 0) && (
        <text suppressHydrationWarning x={x(day - zero)} y={floor + 17} textAnchor="middle" className="fill-faint">
          {monthName(day, locale)}
        </text>
      )}
    </g>
  ))
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

import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { ticksTo } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import type { WeekCount } from '@/lib/interest/week-counts'
import { dayAndMonth } from '@/lib/time/format-date'
import { mondayOfWeek } from '@/lib/time/weeks'
import { ChartCard, type ChartSource } from './chart-card'
import { useCountWords } from './figure-words'
import { ChartReader, Drawing, ReadOut, useChartWidth, useIsPaper, ValueAxis } from './plot-frame'

type WeeksChartProps = { page: InterestPage; source: ChartSource }

/** What came week by week, of every enrollment year and none. */
export function WeeksChart({ page: { weeks, isWithheld }, source }: WeeksChartProps) {
  const t = useTranslations('interest.weeks')
  const words = useCountWords(isWithheld)
  const { daysOf, nameOf } = useWeekWords()
  const [box, width] = useChartWidth()
  const height = useIsPaper() ? PAPER_HEIGHT : HEIGHT
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? Infinity, weeks.length - 1)
  const here = weeks[at]
  const figures = {
    columns: [t('week'), t('days'), t('declarations'), t('questions')],
    rows: weeks.map((week) => [week.week, daysOf(week), words.figure(week.declarations), words.figure(week.questions)]),
  }
  if (here === undefined) return null
  const point = nameOf(here)
  const counts = { declarations: words.write(here.declarations), questions: words.write(here.questions) }
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={figures}
      table={figures}
    >
      <ReadOut
        values={(['declarations', 'questions'] as const).map((what) => ({
          name: t(what),
          swatch: <BarSwatch what={what} />,
          value: counts[what],
        }))}
        point={point}
      />
      <ChartReader
        boxRef={box}
        title={t('title')}
        summary={t('summary', { count: weeks.length })}
        count={weeks.length}
        at={at}
        onMove={setChosen}
        valueText={t('valueText', { point, ...counts })}
        pointUnder={(x) => weekUnder(x, width, weeks.length)}
      >
        <WeeksPlot weeks={weeks} width={width} height={height} at={at} />
      </ChartReader>
    </ChartCard>
  )
}

/** `16 nov–22 nov`; `Vecka 47 2026, 16 nov–22 nov`. */
function useWeekWords() {
  const t = useTranslations('interest')
  const locale = useLocale()
  const spanOf = ({ week }: WeekCount) => {
    const monday = mondayOfWeek(week)
    return { from: dayAndMonth(monday, locale), to: dayAndMonth(monday + 6, locale) }
  }
  return {
    daysOf: (week: WeekCount) => t('curves.span', spanOf(week)),
    nameOf: (week: WeekCount) => {
      const [year = '', number = ''] = week.week.split('-W')
      return t('weeks.point', { week: String(Number(number)), year, ...spanOf(week) })
    },
  }
}

const LEFT = 44
const TOP = 8
const BOTTOM = 34
const HEIGHT = 190
const PAPER_HEIGHT = 300
const WIDEST_BAR = 36
/** What a week's number and year need beside the next. */
const LABEL_WIDTH = 46

/** Which week, from 0, lies under a place; that is given as a share of the drawing's width, and `width` in px. */
function weekUnder(share: number, width: number, count: number): number {
  return Math.floor(((share * width - LEFT) / (width - LEFT)) * count)
}

type WeeksPlotProps = { weeks: readonly WeekCount[]; width: number; height: number; at: number }

/** Two bars a week: declarations full, questions hatched. */
function WeeksPlot({ weeks, width, height, at }: WeeksPlotProps) {
  const hatch = useId()
  const floor = height - BOTTOM
  const ticks = ticksTo(Math.max(0, ...weeks.flatMap(({ declarations, questions }) => [declarations, questions])), 3)
  const top = ticks.at(-1) ?? 1
  const slot = (width - LEFT) / weeks.length
  const bar = Math.min(WIDEST_BAR, slot * 0.4)
  const y = (value: number) => floor - (value / top) * (floor - TOP)
  const column = (x: number, value: number) => ({ x, y: y(value), width: bar, height: floor - y(value) })
  return (
    <Drawing width={width} height={height}>
      <Hatch id={hatch} />
      <ValueAxis ticks={ticks} y={y} left={LEFT} right={width} />
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
    </Drawing>
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

function BarSwatch({ what }: { what: 'declarations' | 'questions' }) {
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

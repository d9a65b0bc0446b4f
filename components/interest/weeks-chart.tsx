import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { sizeOf, ticksTo } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource } from './chart-card'
import { useCountWords } from './figure-words'
import { ChartReader, Drawing, ReadOut, useChartWidth, useIsPaper, ValueAxis } from './plot-frame'
import { BarSwatch, BOTTOM, Hatch, LEFT, TOP, useWeekWords, WeekLabels, weekUnder } from './week-axis'

type WeeksChartProps = { page: InterestPage; source: ChartSource }

/** What came week by week, of every enrollment year and none. */
export function WeeksChart({ page: { weeks, isRounded }, source }: WeeksChartProps) {
  const t = useTranslations('interest.weeks')
  const { write, say } = useCountWords()
  const { daysOf, nameOf } = useWeekWords()
  const [box, width] = useChartWidth()
  const height = useIsPaper() ? PAPER_HEIGHT : HEIGHT
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? Infinity, weeks.length - 1)
  const here = weeks[at]
  const figures = {
    columns: [t('week'), t('days'), t('declarations'), t('questions')],
    rows: weeks.map((week) => [week.week, daysOf(week), week.declarations, week.questions]),
  }
  if (here === undefined) return null
  const point = nameOf(here)
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
          swatch: <BarSwatch isHatched={what === 'questions'} />,
          value: write(here[what]),
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
        valueText={t('valueText', { point, declarations: say(here.declarations), questions: say(here.questions) })}
        pointUnder={(x) => weekUnder(x, width, weeks.length)}
      >
        <WeeksPlot weeks={weeks} least={isRounded ? 5 : 1} width={width} height={height} at={at} />
      </ChartReader>
    </ChartCard>
  )
}

const HEIGHT = 190
const PAPER_HEIGHT = 300
const WIDEST_BAR = 36
type WeeksPlotProps = { weeks: InterestPage['weeks']; least: number; width: number; height: number; at: number }

/** Two bars a week: declarations full, questions hatched. */
function WeeksPlot({ weeks, least, width, height, at }: WeeksPlotProps) {
  const hatch = useId()
  const floor = height - BOTTOM
  const bars = weeks.map(({ week, declarations, questions }) => ({
    week,
    declarations: sizeOf(declarations),
    questions: sizeOf(questions),
  }))
  const ticks = ticksTo(
    Math.max(0, ...bars.flatMap(({ declarations, questions }) => [declarations, questions])),
    3,
    least,
  )
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
      {bars.map(({ week, declarations, questions }, index) => {
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

import { CalendarCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { Cell } from '@/lib/export/csv'
import { sizeOf, ticksTo } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource, NothingToDraw } from './chart-card'
import { NOT_GIVEN, percentOf, useDuration, useShare } from './figure-words'
import { ChartReader, Drawing, ReadOut, useChartWidth, useIsPaper, ValueAxis } from './plot-frame'
import { BarSwatch, BOTTOM, Hatch, LEFT, TOP, useWeekWords, WeekLabels, weekUnder } from './week-axis'

type GoalWeeksChartProps = { page: InterestPage; source: ChartSource }

/** What was answered within the goal and what was not, by the week in which it came. */
export function GoalWeeksChart({ page, source }: GoalWeeksChartProps) {
  const t = useTranslations('interest.goalWeeks')
  const { weeks, goals } = page.answers
  const hasGoal = Object.values(goals).some((days) => days !== null)
  const isEmpty = weeks.every(({ withinGoal }) => withinGoal === null)
  const { figures, table } = useWeekFigures(page)
  const goalWords = useGoalWords(goals)
  const empty = weeks.every(({ counted }) => counted === 0) ? 'empty' : 'tooFew'
  return (
    <ChartCard
      title={t('title')}
      note={hasGoal ? t('note', { goals: goalWords }) : t('noteWithoutGoal')}
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={isEmpty ? null : figures}
      table={table}
    >
      {isEmpty ? (
        <NothingToDraw icon={<CalendarCheck aria-hidden />}>{t(hasGoal ? empty : 'noGoal')}</NothingToDraw>
      ) : (
        <Weeks weeks={weeks} isShare={page.isRounded} />
      )}
    </ChartCard>
  )
}

/** `frågor 2 arbetsdagar, intresseanmälningar 5 arbetsdagar`. */
function useGoalWords(goals: InterestPage['answers']['goals']): string {
  const t = useTranslations('interest.goalWeeks')
  return (['asked-question', 'declaration-of-interest'] as const)
    .flatMap((kind) => (goals[kind] === null ? [] : [t(`goal.${kind}`, { days: goals[kind] })]))
    .join(', ')
}

type WeekAnswers = InterestPage['answers']['weeks'][number]

/** As a file, and as a table for people. */
function useWeekFigures({ answers, isRounded }: InterestPage) {
  const t = useTranslations('interest.goalWeeks')
  const share = useShare()
  const duration = useDuration(isRounded)
  const { daysOf } = useWeekWords()
  const weeks = answers.weeks.filter(({ count, counted }) => count !== 0 || counted !== 0)
  const columns = [t('week'), t('days'), t('count'), t('counted')]
  const rowsOf = (within: (share: number | null) => Cell, time: (minutes: number | null) => Cell) =>
    weeks.map((week): Cell[] => [
      week.week,
      daysOf(week),
      week.count,
      week.counted,
      within(week.withinGoal),
      time(week.medianMinutes),
      time(week.p90Minutes),
    ])
  const minutes = (time: number | null) => (time === null ? null : Math.round(time))
  return {
    figures: {
      columns: [...columns, t('withinPercent'), t('medianMinutes'), t('p90Minutes')],
      rows: rowsOf(percentOf, minutes),
    },
    table: { columns: [...columns, t('within'), t('median'), t('p90')], rows: rowsOf(share, duration) },
  }
}

type Bar = { week: string; within: number; late: number }

/** How many leads; where they are rounded, how many of a hundred. */
function barOf({ week, counted, withinGoal }: WeekAnswers, isShare: boolean): Bar {
  if (withinGoal === null) return { week, within: 0, late: 0 }
  const all = isShare ? 100 : sizeOf(counted)
  const within = Math.round(withinGoal * all)
  return { week, within, late: all - within }
}

function Weeks({ weeks, isShare }: { weeks: readonly WeekAnswers[]; isShare: boolean }) {
  const t = useTranslations('interest.goalWeeks')
  const share = useShare()
  const { nameOf } = useWeekWords()
  const [box, width] = useChartWidth()
  const height = useIsPaper() ? PAPER_HEIGHT : HEIGHT
  const [chosen, setChosen] = useState<number | null>(null)
  const bars = weeks.map((week) => barOf(week, isShare))
  const lastGiven = weeks.findLastIndex(({ withinGoal }) => withinGoal !== null)
  const at = Math.min(chosen ?? lastGiven, weeks.length - 1)
  const [here, bar] = [weeks[at], bars[at]]
  if (here === undefined || bar === undefined) return null
  const point = nameOf(here)
  const write = (value: number) => (here.withinGoal === null ? NOT_GIVEN : isShare ? share(value / 100) : String(value))
  const percent = share(here.withinGoal)
  return (
    <>
      <ReadOut
        values={[
          ...(['within', 'late'] as const).map((what) => ({
            name: t(what),
            swatch: <BarSwatch isHatched={what === 'late'} />,
            value: write(bar[what]),
          })),
          ...(isShare ? [] : [{ name: t('share'), swatch: null, value: percent }]),
        ]}
        point={point}
      />
      <ChartReader
        boxRef={box}
        title={t('title')}
        summary={t('summary', { count: weeks.length })}
        count={weeks.length}
        at={at}
        onMove={setChosen}
        valueText={
          here.withinGoal === null
            ? t(here.counted === 0 ? 'valueNothing' : 'valueTooFew', { point })
            : t('valueText', { point, within: write(bar.within), late: write(bar.late), share: percent })
        }
        pointUnder={(x) => weekUnder(x, width, weeks.length)}
      >
        <Plot bars={bars} isShare={isShare} width={width} height={height} at={at} />
      </ChartReader>
    </>
  )
}

const HEIGHT = 190
const PAPER_HEIGHT = 300
const WIDEST_BAR = 36

type PlotProps = { bars: readonly Bar[]; isShare: boolean; width: number; height: number; at: number }

/** One bar a week: what was in time is full and stands on the floor, what was late is hatched above it. */
function Plot({ bars, isShare, width, height, at }: PlotProps) {
  const hatch = useId()
  const share = useShare()
  const floor = height - BOTTOM
  const ticks = isShare ? [0, 50, 100] : ticksTo(Math.max(0, ...bars.map(({ within, late }) => within + late)), 3)
  const top = ticks.at(-1) ?? 1
  const slot = (width - LEFT) / bars.length
  const bar = Math.min(WIDEST_BAR, slot * 0.7)
  const y = (value: number) => floor - (value / top) * (floor - TOP)
  return (
    <Drawing width={width} height={height}>
      <Hatch id={hatch} />
      <ValueAxis
        ticks={ticks}
        y={y}
        left={LEFT}
        right={width}
        {...(isShare && { write: (tick: number) => share(tick / 100) })}
      />
      <rect x={LEFT + at * slot} y={TOP} width={slot} height={floor - TOP} className="fill-hover print:hidden" />
      {bars.map(({ week, within, late }, index) => {
        const x = LEFT + (index + 0.5) * slot - bar / 2
        return (
          <g key={week}>
            <rect x={x} width={bar} y={y(within)} height={floor - y(within)} className="fill-accent" />
            {late > 0 && (
              <rect
                x={x}
                width={bar}
                y={y(within + late)}
                height={y(within) - y(within + late)}
                fill={`url(#${hatch})`}
                className="stroke-status-progress"
                strokeWidth={Math.min(1, bar / 4)}
              />
            )}
          </g>
        )
      })}
      <line x1={LEFT} x2={width} y1={floor} y2={floor} className="stroke-line" />
      <WeekLabels weeks={bars} slot={slot} floor={floor} />
    </Drawing>
  )
}

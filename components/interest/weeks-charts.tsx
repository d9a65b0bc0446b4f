import { CalendarCheck } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { sizeOf, ticksTo } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth } from '@/lib/time/format-date'
import { mondayOfWeek } from '@/lib/time/weeks'
import { ChartCard, type ChartSource, NothingToDraw } from './chart-card'
import { NO_VALUE, useAnswerCells, useCountFormat, useShare } from './figure-words'
import { ChartReader, Drawing, heightScale, ReadOut, type Sheet, ValueAxis } from './plot-frame'

type WeeksChartProps = { page: InterestPage; source: ChartSource }

export function WeeksChart({ page: { weeks, isRounded }, source }: WeeksChartProps) {
  const t = useTranslations('interest.weeks')
  const { write, say } = useCountFormat()
  const { daysOf } = useWeekWords()
  const figures = {
    columns: [t('week'), t('days'), t('declarations'), t('questions')],
    rows: weeks.map((week) => [week.week, daysOf(week), week.declarations, week.questions]),
  }
  if (weeks.length === 0) return null
  const bars = weeks.map(({ week, ...counts }) => ({
    week,
    full: sizeOf(counts.declarations),
    hatched: sizeOf(counts.questions),
  }))
  const wordsAt = (at: number, point: string) => {
    const { declarations = 0, questions = 0 } = weeks[at] ?? {}
    return {
      values: [
        { name: t('declarations'), value: write(declarations) },
        { name: t('questions'), value: write(questions) },
      ],
      spoken: t('valueText', { point, declarations: say(declarations), questions: say(questions) }),
    }
  }
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={figures}
      table={figures}
    >
      <WeekBars
        title={t('title')}
        summary={t('summary', { count: weeks.length })}
        weeks={bars}
        ticks={ticksTo(Math.max(...bars.flatMap(({ full, hatched }) => [full, hatched])), 3, isRounded ? 5 : 1)}
        first={weeks.length - 1}
        wordsAt={wordsAt}
      />
    </ChartCard>
  )
}

export function GoalWeeksChart({ page: { answers, isRounded }, source }: WeeksChartProps) {
  const t = useTranslations('interest.goalWeeks')
  const { weeks, goals } = answers
  const goalWords = (['asked-question', 'declaration-of-interest'] as const)
    .flatMap((kind) => (goals[kind] === null ? [] : [t(`goal.${kind}`, { days: goals[kind] })]))
    .join(', ')
  const isEmpty = weeks.every(({ withinGoal }) => withinGoal === null)
  const empty = weeks.every(({ counted }) => counted === 0) ? 'empty' : 'tooFew'
  const { daysOf } = useWeekWords()
  const { forFile, forPeople } = useAnswerCells(isRounded)
  const tableOf = (columns: string[], cells: typeof forFile) => ({
    columns: [t('week'), t('days'), t('count'), t('counted'), ...columns],
    rows: weeks
      .filter(({ count, counted }) => count !== 0 || counted !== 0)
      .map((week) => [week.week, daysOf(week), week.count, week.counted, ...cells(week)]),
  })
  return (
    <ChartCard
      title={t('title')}
      note={goalWords === '' ? t('noteWithoutGoal') : t('note', { goals: goalWords })}
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={isEmpty ? null : tableOf([t('withinPercent'), t('medianMinutes'), t('p90Minutes')], forFile)}
      table={tableOf([t('within'), t('median'), t('p90')], forPeople)}
    >
      {isEmpty ? (
        <NothingToDraw icon={<CalendarCheck aria-hidden />}>{t(goalWords === '' ? 'noGoal' : empty)}</NothingToDraw>
      ) : (
        <GoalWeeks weeks={weeks} isShare={isRounded} />
      )}
    </ChartCard>
  )
}

function GoalWeeks({ weeks, isShare }: { weeks: InterestPage['answers']['weeks']; isShare: boolean }) {
  const t = useTranslations('interest.goalWeeks')
  const share = useShare()
  const bars = weeks.map(({ week, counted, withinGoal }) => {
    if (withinGoal === null) return { week, full: 0, hatched: 0 }
    const all = isShare ? 100 : sizeOf(counted)
    const full = Math.round(withinGoal * all)
    return { week, full, hatched: all - full }
  })
  const max = Math.max(...bars.map(({ full, hatched }) => full + hatched))
  const write = isShare ? (percent: number) => share(percent / 100) : String
  const wordsAt = (at: number, point: string) => {
    const { withinGoal = null, counted = 0 } = weeks[at] ?? {}
    const { full = 0, hatched = 0 } = bars[at] ?? {}
    const isGiven = withinGoal !== null
    const [within, late, percent] = [write(full), write(hatched), share(withinGoal)]
    return {
      values: [
        { name: t('within'), value: isGiven ? within : NO_VALUE },
        { name: t('late'), value: isGiven ? late : NO_VALUE },
        ...(isShare ? [] : [{ name: t('share'), value: percent }]),
      ],
      spoken: isGiven
        ? t('valueText', { point, within, late, share: percent })
        : t(counted === 0 ? 'valueNothing' : 'valueTooFew', { point }),
    }
  }
  return (
    <WeekBars
      title={t('title')}
      summary={t('summary', { count: weeks.length })}
      weeks={bars}
      isStacked
      ticks={isShare ? [0, 50, 100] : ticksTo(max, 3)}
      write={isShare ? write : undefined}
      first={weeks.findLastIndex(({ withinGoal }) => withinGoal !== null)}
      wordsAt={wordsAt}
    />
  )
}

type Week = { week: string }

/** `16 nov–22 nov`; `Vecka 47 2026, 16 nov–22 nov`. */
export function useWeekWords() {
  const t = useTranslations('interest')
  const locale = useLocale()
  const spanOf = ({ week }: Week) => {
    const monday = mondayOfWeek(week)
    return { from: dayAndMonth(monday, locale), to: dayAndMonth(monday + 6, locale) }
  }
  return {
    daysOf: (week: Week) => t('curves.span', spanOf(week)),
    nameOf: (week: Week) => {
      const [year = '', number = ''] = week.week.split('-W')
      return t('weeks.point', { week: String(Number(number)), year, ...spanOf(week) })
    },
  }
}

type WeekPlotProps = {
  weeks: readonly (Week & { full: number; hatched: number })[]
  isStacked?: boolean
  ticks: readonly number[]
  write?: ((tick: number) => string) | undefined
}

type WeekBarsProps = WeekPlotProps & {
  title: string
  summary: string
  first: number
  /** A week in words; its first value is that of the full bar, its second that of the hatched one. */
  wordsAt: (at: number, point: string) => { values: readonly { name: string; value: string }[]; spoken: string }
}

function WeekBars({ title, summary, first, wordsAt, ...plot }: WeekBarsProps) {
  const { weeks } = plot
  const { nameOf } = useWeekWords()
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? first, weeks.length - 1)
  const point = nameOf(weeks[at] ?? { week: '' })
  const { values, spoken } = wordsAt(at, point)
  return (
    <>
      <ReadOut
        values={values.map((value, index) => ({
          ...value,
          swatch: index < 2 && <BarSwatch isHatched={index === 1} />,
        }))}
        point={point}
      />
      <ChartReader
        title={title}
        summary={summary}
        count={weeks.length}
        at={at}
        onMove={setChosen}
        valueText={spoken}
        pointUnder={(x, _, width) => Math.floor(((x * width - LEFT) / (width - LEFT)) * weeks.length)}
      >
        {(sheet) => <WeekPlot {...plot} {...sheet} at={at} />}
      </ChartReader>
    </>
  )
}

const LEFT = 44
const TOP = 8
const BOTTOM = 34
const WIDEST_BAR = 36

function WeekPlot({
  weeks,
  isStacked = false,
  ticks,
  write,
  width,
  isPaper,
  at,
}: WeekPlotProps & Sheet & { at: number }) {
  const hatch = useId()
  const height = isPaper ? 300 : 190
  const floor = height - BOTTOM
  const y = heightScale(ticks, TOP, floor)
  const slot = (width - LEFT) / weeks.length
  const bar = Math.min(WIDEST_BAR, slot * (isStacked ? 0.7 : 0.4))
  const column = (x: number, value: number, base: number) => ({
    x,
    y: y(base + value),
    width: bar,
    height: y(base) - y(base + value),
  })
  return (
    <Drawing width={width} height={height}>
      <Hatch id={hatch} />
      <ValueAxis ticks={ticks} y={y} left={LEFT} right={width} write={write} />
      <rect x={LEFT + at * slot} y={TOP} width={slot} height={floor - TOP} className="fill-hover print:hidden" />
      {weeks.map(({ week, full, hatched }, index) => {
        const x = LEFT + (index + 0.5) * slot - bar * (isStacked ? 0.5 : 1.05)
        const above = isStacked ? column(x, hatched, full) : column(x + bar * 1.1, hatched, 0)
        return (
          <g key={week}>
            <rect {...column(x, full, 0)} className="fill-accent" />
            {(hatched > 0 || !isStacked) && (
              <rect
                {...above}
                fill={`url(#${hatch})`}
                className="stroke-status-progress"
                strokeWidth={Math.min(1, bar / 4)}
              />
            )}
          </g>
        )
      })}
      <line x1={LEFT} x2={width} y1={floor} y2={floor} className="stroke-line" />
      <WeekLabels weeks={weeks} slot={slot} floor={floor} />
    </Drawing>
  )
}

const LABEL_WIDTH = 46

function WeekLabels({ weeks, slot, floor }: { weeks: readonly Week[]; slot: number; floor: number }) {
  const t = useTranslations('interest.weeks')
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot))
  return weeks.map(({ week }, index) => {
    if ((weeks.length - 1 - index) % every !== 0) return null
    const isLast = index === weeks.length - 1
    if (!isLast && index * slot < LABEL_WIDTH / 2 - LEFT) return null
    const [year, number] = week.split('-W')
    const place = { x: LEFT + (index + (isLast ? 1 : 0.5)) * slot, textAnchor: isLast ? 'end' : 'middle' } as const
    return (
      <g key={week} className="tabular fill-faint">
        <text {...place} y={floor + 14}>
          {t('tick', { week: String(Number(number)) })}
        </text>
        <text {...place} y={floor + 27}>
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

function BarSwatch({ isHatched }: { isHatched: boolean }) {
  const hatch = useId()
  const hatched = { x: 0.5, y: 0.5, width: 11, height: 11, fill: `url(#${hatch})`, className: 'stroke-status-progress' }
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0">
      <Hatch id={hatch} />
      <rect rx="2" {...(isHatched ? hatched : { width: 12, height: 12, className: 'fill-accent' })} />
    </svg>
  )
}

import { CalendarCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sizeOf, ticksTo } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource, NothingToDraw } from './chart-card'
import { NOT_GIVEN, useAnswerCells, useCountWords, useShare } from './figure-words'
import { useWeekWords, WeekBars } from './week-bars'

type WeeksChartProps = { page: InterestPage; source: ChartSource }

export function WeeksChart({ page: { weeks, isRounded }, source }: WeeksChartProps) {
  const t = useTranslations('interest.weeks')
  const { write, say } = useCountWords()
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

type GoalWeeksProps = { weeks: InterestPage['answers']['weeks']; isShare: boolean }

/** How many leads; where they are rounded, how many of a hundred. */
function GoalWeeks({ weeks, isShare }: GoalWeeksProps) {
  const t = useTranslations('interest.goalWeeks')
  const share = useShare()
  const bars = weeks.map(({ week, counted, withinGoal }) => {
    if (withinGoal === null) return { week, full: 0, hatched: 0 }
    const all = isShare ? 100 : sizeOf(counted)
    const full = Math.round(withinGoal * all)
    return { week, full, hatched: all - full }
  })
  const most = Math.max(...bars.map(({ full, hatched }) => full + hatched))
  const write = isShare ? (percent: number) => share(percent / 100) : String
  const wordsAt = (at: number, point: string) => {
    const { withinGoal = null, counted = 0 } = weeks[at] ?? {}
    const { full = 0, hatched = 0 } = bars[at] ?? {}
    const isGiven = withinGoal !== null
    const [within, late, percent] = [write(full), write(hatched), share(withinGoal)]
    return {
      values: [
        { name: t('within'), value: isGiven ? within : NOT_GIVEN },
        { name: t('late'), value: isGiven ? late : NOT_GIVEN },
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
      ticks={isShare ? [0, 50, 100] : ticksTo(most, 3)}
      write={isShare ? write : undefined}
      first={weeks.findLastIndex(({ withinGoal }) => withinGoal !== null)}
      wordsAt={wordsAt}
    />
  )
}

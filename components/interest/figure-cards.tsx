import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { sizeOf } from '@/lib/interest/axis'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { NOT_GIVEN, useCountWords, useDuration, useShare } from './figure-words'

type CardsProps = { page: InterestPage; unit: Unit }

/** The answer in five numbers; the chosen unit stands first. */
export function FigureCards({ page, unit }: CardsProps) {
  const t = useTranslations('interest')
  const { figure } = useCountWords()
  const { now, perPerson } = page.headline
  const other = unit === 'declarations' ? 'people' : 'declarations'
  return (
    <dl className="grid gap-3 min-[22rem]:grid-cols-2 desk:grid-cols-[1.3fr_1fr_0.9fr_1.2fr_1.2fr] print:grid-cols-5">
      <Card isWide name={t(`unit.${unit}`)} value={figure(now[unit])}>
        <Comparison page={page} unit={unit} />
      </Card>
      <Card name={t(`unit.${other}`)} value={figure(now[other])}>
        {perPerson === null
          ? t(now.people === 0 ? 'card.nobody' : 'card.tooFew')
          : t('card.perPerson', { count: Math.round(perPerson * 100) / 100 })}
      </Card>
      <Card name={t('card.questions')} value={figure(page.grid.total.questions)}>
        {t('card.questionsHint')}
      </Card>
      <GoalCard page={page} />
      <TimeCard page={page} />
    </dl>
  )
}

type CardProps = {
  name: string
  value: ReactNode
  /** Takes a row of its own where two stand beside each other. */
  isWide?: boolean
  children: ReactNode
}

const LONGEST_NUMBER = 9

/** One number with its name above it and what it is to be compared with beneath. */
function Card({ name, value, isWide = false, children }: CardProps) {
  return (
    <div
      className={cn(
        'flex min-w-0 flex-col rounded-lg border border-line bg-panel px-4 py-3 print:rounded-none print:p-2',
        isWide && 'col-span-full desk:col-span-1 print:col-span-1',
      )}
    >
      <dt className="text-xs text-mute">{name}</dt>
      <dd className="flex flex-1 flex-col">
        <strong
          className={cn(
            'tabular leading-9 font-semibold tracking-tight',
            // Hours and minutes stay in one line.
            typeof value === 'string' && value.length > LONGEST_NUMBER
              ? 'text-[1.125rem] min-[84rem]:text-xl min-[90rem]:text-[1.75rem]'
              : 'text-xl min-[84rem]:text-[1.75rem]',
          )}
        >
          {value}
        </strong>
        <span className="tabular text-xs text-mute">{children}</span>
      </dd>
    </div>
  )
}

/** What a number is compared with stands out. */
function Beside({ children }: { children: ReactNode }) {
  return <b className="font-semibold text-ink">{children}</b>
}

/** Below, a difference would be written as 0 %. */
const LEAST_SHARE = 0.005

/** An arrow and words, so that no colour is needed. */
function Comparison({ page: { cohort, headline }, unit }: CardsProps) {
  const t = useTranslations('interest.card')
  const format = useFormatter()
  const { say } = useCountWords()
  const { before, beforeInAll, change } = headline
  const year = String(cohort - 1)
  if (before === null) return t('noYearBefore', { year })
  if (before[unit] === 0) return t('nothingBefore', { year })
  const share = change[unit]
  const count = say(before[unit])
  if (share === null) return t('fewBefore', { year, count })
  if (Math.abs(share) < LEAST_SHARE) return t('same', { year, count })
  return (
    <>
      <Beside>
        {share > 0 ? '▲' : '▼'}{' '}
        {t(share > 0 ? 'more' : 'less', {
          share: format.number(share, { style: 'percent', signDisplay: 'never', maximumFractionDigits: 0 }),
          year,
          count,
        })}
      </Beside>
      <span className="block">{beforeInAll && t('inAll', { year, count: say(beforeInAll[unit]) })}</span>
    </>
  )
}

type AnswerCardProps = { page: InterestPage }

/** How many got their answer in time, against a year earlier. */
function GoalCard({ page: { answers } }: AnswerCardProps) {
  const t = useTranslations('interest.card')
  const share = useShare()
  const { withinGoal, counted, goals, lastYear, isBeforeWork } = answers
  const hasGoal = Object.values(goals).some((days) => days !== null)
  const nothing = isBeforeWork.now ? 'beforeWork' : counted === 0 ? 'nothingDue' : 'tooFew'
  const nothingBefore = isBeforeWork.before
    ? 'yearBeforeWork'
    : lastYear.counted === 0
      ? 'nothingToCompare'
      : 'tooFewBefore'
  return (
    <Card name={t('withinGoal')} value={hasGoal ? share(withinGoal) : NOT_GIVEN}>
      {!hasGoal || withinGoal === null ? (
        t(hasGoal ? nothing : 'noGoal')
      ) : (
        <>
          <Beside>
            {lastYear.withinGoal === null
              ? t(nothingBefore)
              : `${share(lastYear.withinGoal)} ${t(answers.isOfCycle ? 'yearBefore' : 'daysBefore')}`}
          </Beside>
          <span className="block">{t('ofCounted', { count: sizeOf(counted) })}</span>
        </>
      )}
    </Card>
  )
}

/** When they got it, likewise. */
function TimeCard({ page: { answers, isRounded } }: AnswerCardProps) {
  const t = useTranslations('interest.card')
  const duration = useDuration(isRounded)
  const { count, medianMinutes, p90Minutes, lastYear } = answers
  const nothingBefore = lastYear.count === 0 ? 'nothingToCompare' : 'tooFewBefore'
  return (
    <Card name={t('timeToAnswer')} value={duration(medianMinutes)}>
      {medianMinutes === null ? (
        t(count === 0 ? 'nobodyAnswered' : 'tooFew')
      ) : (
        <>
          <Beside>
            {lastYear.medianMinutes === null
              ? t(nothingBefore)
              : `${duration(lastYear.medianMinutes)} ${t(answers.isOfCycle ? 'yearBefore' : 'daysBefore')}`}
          </Beside>
          <span className="block">{t('ninetyWithin', { time: duration(p90Minutes), count: sizeOf(count) })}</span>
        </>
      )}
    </Card>
  )
}

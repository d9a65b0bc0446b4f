import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { sizeOf } from '@/lib/interest/axis'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { NO_VALUE, useCountFormat, useDuration, useShare } from './figure-words'

type CardsProps = { page: InterestPage; unit: Unit }

export function FigureCards({ page, unit }: CardsProps) {
  const t = useTranslations('interest')
  const { figure } = useCountFormat()
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

type CardProps = { name: string; value: ReactNode; isWide?: boolean; children: ReactNode }

const MAX_NUMBER_LENGTH = 9

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
            typeof value === 'string' && value.length > MAX_NUMBER_LENGTH
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

function Compared({ detail, children }: { detail: string | null; children: ReactNode }) {
  return (
    <>
      <b className="font-semibold text-ink">{children}</b>
      <span className="block">{detail}</span>
    </>
  )
}

const MIN_SHARE = 0.005

function Comparison({ page: { cohort, headline }, unit }: CardsProps) {
  const t = useTranslations('interest.card')
  const format = useFormatter()
  const { say } = useCountFormat()
  const { before, beforeInAll, change } = headline
  const year = String(cohort - 1)
  if (before === null) return t('noYearBefore', { year })
  if (before[unit] === 0) return t('nothingBefore', { year })
  const share = change[unit]
  const count = say(before[unit])
  if (share === null) return t('fewBefore', { year, count })
  if (Math.abs(share) < MIN_SHARE) return t('same', { year, count })
  const percent = format.number(share, { style: 'percent', signDisplay: 'never', maximumFractionDigits: 0 })
  return (
    <Compared detail={beforeInAll && t('inAll', { year, count: say(beforeInAll[unit]) })}>
      {share > 0 ? '▲' : '▼'} {t(share > 0 ? 'more' : 'less', { share: percent, year, count })}
    </Compared>
  )
}

function GoalCard({ page: { answers } }: { page: InterestPage }) {
  const t = useTranslations('interest.card')
  const share = useShare()
  const { withinGoal, counted, goals, lastYear, isBeforeWork, isOfCycle } = answers
  const name = t('withinGoal')
  if (Object.values(goals).every((days) => days === null))
    return (
      <Card name={name} value={NO_VALUE}>
        {t('noGoal')}
      </Card>
    )
  const none = counted === 0 ? 'nothingDue' : 'tooFew'
  const noneBefore = lastYear.counted === 0 ? 'nothingToCompare' : 'tooFewBefore'
  const before = `${share(lastYear.withinGoal)} ${t(isOfCycle ? 'yearBefore' : 'daysBefore')}`
  return (
    <Card name={name} value={share(withinGoal)}>
      {withinGoal === null ? (
        t(isBeforeWork.now ? 'beforeWork' : none)
      ) : (
        <Compared detail={t('ofCounted', { count: sizeOf(counted) })}>
          {lastYear.withinGoal === null ? t(isBeforeWork.before ? 'yearBeforeWork' : noneBefore) : before}
        </Compared>
      )}
    </Card>
  )
}

function TimeCard({ page: { answers, isRounded } }: { page: InterestPage }) {
  const t = useTranslations('interest.card')
  const duration = useDuration(isRounded)
  const { count, medianMinutes, p90Minutes, lastYear, isOfCycle } = answers
  const before = `${duration(lastYear.medianMinutes)} ${t(isOfCycle ? 'yearBefore' : 'daysBefore')}`
  const noneBefore = lastYear.count === 0 ? 'nothingToCompare' : 'tooFewBefore'
  return (
    <Card name={t('timeToAnswer')} value={duration(medianMinutes)}>
      {medianMinutes === null ? (
        t(count === 0 ? 'nobodyAnswered' : 'tooFew')
      ) : (
        <Compared detail={t('ninetyWithin', { time: duration(p90Minutes), count: sizeOf(count) })}>
          {lastYear.medianMinutes === null ? t(noneBefore) : before}
        </Compared>
      )}
    </Card>
  )
}

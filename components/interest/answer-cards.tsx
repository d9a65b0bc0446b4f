import { useTranslations } from 'next-intl'
import type { InterestPage } from '@/lib/interest/interest-page'
import { Card } from './figure-card'
import { useDuration, useShare } from './figure-words'

type AnswerCardsProps = { page: Pick<InterestPage, 'answers' | 'isWithheld'> }

/** How many got their answer in time, and when they got it, both against a year earlier. */
export function AnswerCards({ page }: AnswerCardsProps) {
  return (
    <>
      <GoalCard page={page} />
      <TimeCard page={page} />
    </>
  )
}

/** `last year at the same point`; who may only count is told of the whole admission year before. */
function useBefore({ answers, isWithheld }: AnswerCardsProps['page']): string {
  const t = useTranslations('interest.card')
  if (isWithheld) return t('wholeYearBefore')
  return t(answers.isOfCycle ? 'yearBefore' : 'daysBefore')
}

function GoalCard({ page }: AnswerCardsProps) {
  const t = useTranslations('interest.card')
  const share = useShare()
  const when = useBefore(page)
  const { withinGoal, counted, goals, lastYear, isBeforeWork } = page.answers
  const name = t('withinGoal')
  if (Object.values(goals).every((days) => days === null))
    return (
      <Card name={name} value="–">
        {t('noGoal')}
      </Card>
    )
  const nothing = page.isWithheld ? 'tooFew' : 'nothingDue'
  const nothingBefore = isBeforeWork.before ? 'yearBeforeWork' : 'nothingToCompare'
  return (
    <Card name={name} value={withinGoal === null ? '–' : share(withinGoal)}>
      {withinGoal === null ? (
        t(isBeforeWork.now ? 'beforeWork' : nothing)
      ) : (
        <>
          <b className="font-semibold text-ink">
            {lastYear.withinGoal === null ? t(nothingBefore) : `${share(lastYear.withinGoal)} ${when}`}
          </b>
          {counted !== null && <span className="block">{t('ofCounted', { count: counted })}</span>}
        </>
      )}
    </Card>
  )
}

function TimeCard({ page }: AnswerCardsProps) {
  const t = useTranslations('interest.card')
  const duration = useDuration()
  const when = useBefore(page)
  const { count, medianMinutes, p90Minutes, lastYear } = page.answers
  if (medianMinutes === null || p90Minutes === null)
    return (
      <Card name={t('timeToAnswer')} value="–">
        {t(page.isWithheld ? 'tooFew' : 'nobodyAnswered')}
      </Card>
    )
  return (
    <Card name={t('timeToAnswer')} value={duration(medianMinutes)}>
      <b className="font-semibold text-ink">
        {lastYear.medianMinutes === null ? t('nothingToCompare') : `${duration(lastYear.medianMinutes)} ${when}`}
      </b>
      <span className="block">
        {count === null
          ? t('ninetyWithin', { time: duration(p90Minutes) })
          : t('ninetyWithinOf', { time: duration(p90Minutes), count })}
      </span>
    </Card>
  )
}

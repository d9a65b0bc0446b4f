import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { change } from '@/lib/interest/cohort-curves'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { LEAST_GROUP } from '@/lib/interest/small-groups'
import { useCountWords, useDuration } from './figure-words'

/** The answer in four numbers; the chosen unit stands first. */
export function FigureCards({ page, unit }: { page: InterestPage; unit: Unit }) {
  const t = useTranslations('interest')
  const words = useCountWords(page.isWithheld)
  const { now } = page.headline
  const { questions, areQuestionsAbout } = page.grid.total
  const other = unit === 'declarations' ? 'people' : 'declarations'
  const isHidden = words.isFew(now.people) || words.isFew(now.declarations)
  const perPerson = now.people === 0 || isHidden ? null : now.declarations / now.people
  return (
    <dl className="grid gap-3 min-[22rem]:grid-cols-2 desk:grid-cols-[1.3fr_1fr_1fr_1.1fr] print:grid-cols-4">
      <Card name={t(`unit.${unit}`)} value={words.write(now[unit], now.isAbout)}>
        <Comparison page={page} unit={unit} />
      </Card>
      <Card name={t(`unit.${other}`)} value={words.write(now[other], now.isAbout)}>
        {perPerson === null
          ? t(now.people === 0 ? 'card.nobody' : 'card.tooFew')
          : t('card.perPerson', { count: Math.round(perPerson * 100) / 100 })}
      </Card>
      <Card name={t('card.questions')} value={words.write(questions, areQuestionsAbout)}>
        {t('card.questionsHint')}
      </Card>
      <HandledCard handled={page.handled} />
    </dl>
  )
}

function Card({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-panel px-4 py-3 print:rounded-none print:p-2">
      <dt className="text-xs text-mute">{name}</dt>
      <dd className="flex flex-1 flex-col">
        <strong className="tabular text-[1.75rem] leading-9 font-semibold tracking-tight">{value}</strong>
        <span className="tabular text-xs text-mute">{children}</span>
      </dd>
    </div>
  )
}

/** Below, a difference would be written as 0 %. */
const LEAST_SHARE = 0.005

/** An arrow and words, so that no colour is needed. */
function Comparison({ page: { cohort, headline, isWithheld }, unit }: { page: InterestPage; unit: Unit }) {
  const t = useTranslations('interest.card')
  const format = useFormatter()
  const words = useCountWords(isWithheld)
  const year = String(cohort - 1)
  if (headline.before === null) return t('noYearBefore', { year })
  const before = headline.before[unit]
  const share = change(headline.now[unit], before)
  if (share === null) return t('nothingBefore', { year })
  const count = words.write(before)
  const inAll =
    headline.beforeInAll === null
      ? ''
      : t('inAll', { year, count: words.write(headline.beforeInAll[unit], headline.beforeInAll.isAbout) })
  if (words.isFew(before) || words.isFew(headline.now[unit])) return t('fewBefore', { year, count })
  if (Math.abs(share) < LEAST_SHARE) return t('same', { year, count })
  return (
    <>
      <b className="font-semibold text-ink">
        {share > 0 ? '▲' : '▼'}{' '}
        {t(share > 0 ? 'more' : 'less', {
          share: format.number(share, { style: 'percent', signDisplay: 'never', maximumFractionDigits: 0 }),
          year,
          count,
        })}
      </b>
      <span className="block">{inAll}</span>
    </>
  )
}

function HandledCard({ handled: { count, medianMinutes, p90Minutes } }: Pick<InterestPage, 'handled'>) {
  const t = useTranslations('interest.card')
  const duration = useDuration()
  if (medianMinutes === null || p90Minutes === null) {
    const isHidden = count > 0 && count < LEAST_GROUP
    return (
      <Card name={t('handled')} value="–">
        {t(isHidden ? 'tooFew' : 'nothingHandled')}
      </Card>
    )
  }
  return (
    <Card name={t('handled')} value={duration(medianMinutes)}>
      {t('handledMore', { time: duration(p90Minutes), count })}
    </Card>
  )
}

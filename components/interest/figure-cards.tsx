import { useFormatter, useTranslations } from 'next-intl'
import { change } from '@/lib/interest/cohort-curves'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { AnswerCards } from './answer-cards'
import { Card } from './figure-card'
import { useCountWords } from './figure-words'

/** The answer in five numbers; the chosen unit stands first. */
export function FigureCards({ page, unit }: { page: InterestPage; unit: Unit }) {
  const t = useTranslations('interest')
  const words = useCountWords(page.isWithheld)
  const { now } = page.headline
  const { questions, areQuestionsAbout } = page.grid.total
  const other = unit === 'declarations' ? 'people' : 'declarations'
  const isHidden = words.isFew(now.people) || words.isFew(now.declarations)
  const perPerson = now.people === 0 || isHidden ? null : now.declarations / now.people
  return (
    <dl className="grid gap-3 min-[22rem]:grid-cols-2 desk:grid-cols-[1.3fr_1fr_0.9fr_1.2fr_1.2fr] print:grid-cols-5">
      <Card isWide name={t(`unit.${unit}`)} value={words.write(now[unit], now.isAbout)}>
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
      <AnswerCards page={page} />
    </dl>
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

import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { LIKELY } from '@/lib/interest/forecast'
import { GOAL_SHARE } from '@/lib/interest/sentence'
import type { InterestPage } from '@/lib/interest/interest-page'
import { fullTime } from '@/lib/time/format-date'
import { useFigureWords } from './figure-words'

/** One line on screen, with what it means behind it; on paper all of it. */
export function PageFoot({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.foot')
  const locale = useLocale()
  const meaning = useMeaning(page)
  const source = t('source', {
    schools: t('schools', { count: page.board.schools.length }),
    time: fullTime(Date.parse(page.snapshot.fetchedAt), locale),
  })
  return (
    <footer className="text-xs text-mute print:mt-auto print:border-t print:border-line print:pt-2 print:text-[0.8rem]">
      <details className="print:hidden">
        <summary className="w-fit cursor-pointer rounded-sm py-1.5 hover:text-ink touch:py-3">
          {t(page.isRounded ? 'rounded' : 'how')}
        </summary>
        <p className="max-w-prose text-pretty">{meaning}</p>
      </details>
      <p className="hidden print:block">{page.isRounded ? `${t('rounded')}. ${meaning}` : meaning}</p>
      <p suppressHydrationWarning>{source}</p>
    </footer>
  )
}

function useMeaning({ isRounded, isWorked, hasFirstDay, goals, board }: InterestPage): string {
  const t = useTranslations('interest.foot')
  const format = useFormatter()
  const { share } = useFigureWords()
  const kinds = (['asked-question', 'declaration-of-interest'] as const).flatMap((kind) =>
    goals[kind] === null ? [] : [t(`goalOf.${kind}`, { days: goals[kind] })],
  )
  return [
    isRounded && t('roundedMeans'),
    board.all.forecast !== null && t('range', { likely: share(LIKELY) }),
    isWorked &&
      hasFirstDay &&
      kinds.length > 0 &&
      t('goal', { share: share(GOAL_SHARE), goals: format.list(kinds, { type: 'conjunction' }) }),
  ]
    .filter(Boolean)
    .join(' ')
}

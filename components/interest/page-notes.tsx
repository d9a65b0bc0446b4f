import { useLocale, useTranslations } from 'next-intl'
import { fullDay } from '@/lib/interest/day-words'
import { epochDay } from '@/lib/interest/epoch-day'
import type { InterestPage } from '@/lib/interest/interest-page'

/** What a period narrows and what it does not, and that small numbers are not told. */
export function PageNotes({ page: { period, isWithheld } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const locale = useLocale()
  const isPeriod = period.from !== null || period.to !== null
  if (!isPeriod && !isWithheld) return null
  const day = (text: string | null, otherwise: string) => (text === null ? otherwise : fullDay(epochDay(text), locale))
  return (
    <div className="flex flex-col gap-1 rounded-md bg-warn px-4 py-2.5 text-xs text-warn-ink">
      {isPeriod && (
        <p suppressHydrationWarning>
          {t('periodNote', { from: day(period.from, t('start')), to: day(period.to, t('end')) })}
        </p>
      )}
      {isWithheld && <p>{t('withheldNote')}</p>}
    </div>
  )
}

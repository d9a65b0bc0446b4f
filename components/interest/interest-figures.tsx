import { useFormatter, useTranslations } from 'next-intl'
import type { InterestGrid } from './interest-grid'

/** The totals, large. */
export function InterestFigures({ total }: Pick<InterestGrid, 'total'>) {
  const t = useTranslations('interest')
  return (
    <dl className="flex gap-10">
      <Figure label={t('declarations')} value={total.total} />
      <Figure label={t('questions')} value={total.questions} />
    </dl>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  const format = useFormatter()
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-xs text-mute">{label}</dt>
      <dd className="tabular text-xl font-semibold">{format.number(value)}</dd>
    </div>
  )
}

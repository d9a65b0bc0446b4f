import { TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { ExportTally } from '@/lib/contract/export'

type MinorsCheckProps = {
  tally: Pick<ExportTally, 'under16' | 'mayBeUnder16'>
  isConfirmed: boolean
  isMissing: boolean
  onChange: (isConfirmed: boolean) => void
}

/** Stands in the way for a moment when people under 16 are among the leads. */
export function MinorsCheck({ tally, isConfirmed, isMissing, onChange }: MinorsCheckProps) {
  const t = useTranslations('export.minors')
  const id = useId()
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-lg bg-warn px-3.5 py-3 text-sm text-warn-ink">
      <h3 id={`${id}-title`} className="flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {t(tally.under16 > 0 ? 'title' : 'titleMaybe')}
      </h3>
      <p className="tabular mt-1">
        {tally.under16 > 0 && `${t('sure', { count: tally.under16 })} `}
        {tally.mayBeUnder16 > 0 && t('maybe', { count: tally.mayBeUnder16 })}
      </p>
      <p className="mt-1">{t('rule')}</p>
      <label className="mt-1.5 flex min-h-8 items-center gap-2.5 font-medium touch:min-h-11">
        <input
          type="checkbox"
          className="size-4"
          checked={isConfirmed}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? `${id}-missing` : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />
        {t('confirm')}
      </label>
      {isMissing && (
        <p id={`${id}-missing`} className="font-medium">
          {t('missing')}
        </p>
      )}
    </section>
  )
}

/** Whether anybody among them is, or may be, under 16. */
export function hasMinors({ under16, mayBeUnder16 }: Pick<ExportTally, 'under16' | 'mayBeUnder16'>): boolean {
  return under16 + mayBeUnder16 > 0
}

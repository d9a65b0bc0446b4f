import { ShieldAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Notice } from '@/components/ui/notice'
import type { ExportTally } from '@/lib/contract/export'

type ProtectedChoiceProps = {
  tally: Pick<ExportTally, 'protected'>
  isIncluded: boolean
  onChange: (isIncluded: boolean) => void
}

/** Who has a protected identity is in no file: how many that leaves out, and the way for those who are shown them. */
export function ProtectedChoice({ tally: { protected: its }, isIncluded, onChange }: ProtectedChoiceProps) {
  const t = useTranslations('export.protected')
  const left = its.count - (isIncluded ? its.shown : 0)
  if (its.count === 0) return null
  return (
    <Notice size="sm">
      {left > 0 && (
        <p className="tabular flex items-center gap-2 font-medium">
          <ShieldAlert aria-hidden className="size-4 shrink-0" />
          {t('left', { count: left })}
        </p>
      )}
      {its.shown > 0 && (
        <label className="tabular flex min-h-8 items-center gap-2.5 touch:min-h-11">
          <input
            type="checkbox"
            className="size-4 shrink-0"
            checked={isIncluded}
            onChange={({ target }) => onChange(target.checked)}
          />
          {t('include', { count: its.shown })}
        </label>
      )}
      {isIncluded && its.shown > 0 && <p>{t('included')}</p>}
    </Notice>
  )
}

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Kbd } from '@/components/ui/kbd'
import { useInbox } from './use-inbox'

/** Stands in the pane of the open lead while none is open. */
export function PanePlaceholder() {
  const t = useTranslations('inbox.marked')
  const tLead = useTranslations('lead')
  const { rows, marks } = useInbox()
  const keyTag = (key: ReactNode) => <Kbd>{key}</Kbd>
  if (!marks.hasMarks)
    return (
      rows.count > 0 && (
        <p className="m-auto p-6 text-center text-sm text-faint touch:hidden">
          {tLead.rich('pickHint', { kbd: keyTag })}
        </p>
      )
    )
  return (
    <div className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center">
      <h2 className="tabular text-title font-semibold">{t('count', { count: marks.count })}</h2>
      <p className="max-w-72 text-sm text-pretty text-mute">{t('hint')}</p>
      <p className="text-sm text-mute touch:hidden">{t.rich('esc', { kbd: keyTag })}</p>
    </div>
  )
}

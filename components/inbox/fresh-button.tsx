'use client'

import { ArrowUp } from 'lucide-react'
import { useTranslations } from 'next-intl'

/** The leads that came while the person was reading, waiting to be let in. */
export function FreshButton({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useTranslations('inbox')
  return (
    <div aria-live="polite" className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center px-4">
      {count > 0 && (
        <button
          type="button"
          title={t('freshHint')}
          onClick={onShow}
          className="tabular pointer-events-auto inline-flex h-8 animate-rise items-center gap-1.5 rounded-full bg-accent pr-4 pl-3 text-sm font-medium text-accent-ink shadow-float hover:bg-accent-strong touch:h-11"
        >
          <ArrowUp aria-hidden className="size-3.5" />
          {t('fresh', { count })}
        </button>
      )}
    </div>
  )
}

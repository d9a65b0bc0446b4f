'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'

/**
 * The rule before the deed. Marketing Act (2008:486) section 5 and the ICC code, article 18, as the Swedish Consumer Agency
 * reads them: no direct advertising to children under 16; answering what they asked is none.
 */
export function MinorMoment({ children, onCancel }: { children: ReactNode; onCancel: () => void }) {
  const t = useTranslations('contact.mail')
  const common = useTranslations('common')
  const [hasThought, setThought] = useState(false)
  if (hasThought) {
    return (
      <div role="group" aria-label={t('templates')} className="max-h-[60dvh] overflow-y-auto px-3 pb-4 scroll-thin">
        {children}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5 px-5 pb-5">
      <p className="text-sm text-pretty text-mute">{t('minorRule')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{common('cancel')}</Button>
        <Button variant="primary" autoFocus onClick={() => setThought(true)}>
          {t('proceed')}
        </Button>
      </div>
    </div>
  )
}

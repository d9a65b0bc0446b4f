'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { Dialog } from '@/components/ui/dialog'
import { SESSION_LOST } from '@/lib/api/request'

/** Comes up when any request was answered with 401: nothing more can be done here before signing in. */
export function SessionLost() {
  const t = useTranslations('shell.sessionLost')
  const [returnTo, setReturnTo] = useState<string | null>(null)
  useEffect(() => {
    const lost = () => setReturnTo(location.pathname + location.search)
    window.addEventListener(SESSION_LOST, lost)
    return () => window.removeEventListener(SESSION_LOST, lost)
  }, [])
  return (
    <Dialog open={returnTo !== null} onClose={() => setReturnTo(null)} title={t('title')} insistent>
      <div className="flex flex-col gap-5 px-5 pb-5">
        <p className="text-sm text-mute">{t('body')}</p>
        <a
          href={`/signin?${new URLSearchParams({ callbackUrl: returnTo ?? '/' })}`}
          className={buttonClass({ variant: 'primary', size: 'lg' })}
        >
          {t('signIn')}
        </a>
      </div>
    </Dialog>
  )
}

import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useEffect, useState } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { createWindowSubscription, useExternalStore } from '@/components/ui/external-store'
import { leaveRequest } from '@/components/ui/unsaved-work'
import { SESSION_LOST } from '@/lib/api/send'
import { DeferredDialog, lazyPart } from './lazy-part'
import { useUrlState } from './url-state'

const LeaveDialog = lazyPart(async () => (await import('./leave-dialog')).LeaveDialog, null, 'leave')

export function LeaveDialogHost() {
  const request = useExternalStore(leaveRequest)
  return request && <LeaveDialog request={request} />
}

const onSessionLost = createWindowSubscription(SESSION_LOST)

export function SessionLostDialog() {
  const t = useTranslations('shell.sessionLost')
  const [isLost, setLost] = useState(false)
  // The link follows the address, because a change that could not be saved opens its lead behind the dialog.
  const pathname = usePathname()
  const { searchParams } = useUrlState()
  useEffect(() => onSessionLost(() => setLost(true)), [])
  if (!isLost) return null
  const callbackUrl = searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
  return (
    <DeferredDialog onClose={() => setLost(false)} title={t('title')} isMandatory>
      {/* The attribute hides the page behind, because without a session no name stays on screen. */}
      <div data-hides-page className="flex flex-col gap-5 px-5 pb-5">
        <p className="text-sm text-mute">{t('body')}</p>
        <a
          href={`/signin?${new URLSearchParams({ callbackUrl })}`}
          className={buttonClass({ variant: 'primary', size: 'lg' })}
        >
          {t('signIn')}
        </a>
      </div>
    </DeferredDialog>
  )
}

'use client'

import { Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { QrAction } from '@/components/contact/qr-action'
import { buttonClass } from '@/components/ui/button-class'
import { displayPhone } from '@/lib/phone/display-phone'
import { toE164 } from '@/lib/phone/to-e164'
import { CopyButton } from './copy-button'
import { Fact } from './fact'

const action = `${buttonClass({ size: 'sm' })} touch:min-w-11`

/** A phone and what can be done with it; one that is no number stands as it came, and cannot be called. */
export function PhoneFact({ phone }: { phone: string }) {
  const t = useTranslations('lead')
  const number = toE164(phone)
  const shown = displayPhone(phone)
  const actions = (
    <>
      {number !== null && (
        <>
          <a href={`tel:${number}`} aria-label={t('call')} className={action}>
            <Phone aria-hidden className="size-3.5" />
            <span className="hidden @lg:inline">{t('call')}</span>
          </a>
          <QrAction number={number} shown={shown} className={action} />
        </>
      )}
      <CopyButton text={shown} label={t('copyPhone')} />
    </>
  )
  return (
    <Fact name={t('field.phone')} actions={actions}>
      <bdi>{shown}</bdi>
      {number === null && <span className="block text-xs font-normal text-faint">{t('unreadablePhone')}</span>}
    </Fact>
  )
}

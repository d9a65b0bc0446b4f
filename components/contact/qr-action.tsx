'use client'

import { QrCode } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { LazyArea } from '@/components/shell/lazy-area'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'

const PhoneCode = lazy(async () => ({ default: (await import('./phone-code')).PhoneCode }))

type QrActionProps = { number: string; shown: string; className: string }

/** The number as a code that a phone's camera dials; a phone itself has no use for it. */
export function QrAction({ number, shown, className }: QrActionProps) {
  const t = useTranslations('lead')
  return (
    <span className="hidden desk:inline">
      <Popover
        label={t('qr')}
        align="end"
        className="p-4"
        trigger={(props) => (
          <button {...props} type="button" aria-label={t('qr')} title={t('qrHint')} className={className}>
            <QrCode aria-hidden className="size-3.5" />
            <span aria-hidden className="hidden @lg:inline">
              QR
            </span>
          </button>
        )}
      >
        {() => (
          <Suspense fallback={<Skeleton className="size-60" />}>
            <LazyArea area="contact">
              <PhoneCode number={number} shown={shown} />
            </LazyArea>
          </Suspense>
        )}
      </Popover>
    </span>
  )
}

'use client'

import { useTranslations } from 'next-intl'
import { encode } from 'uqr'
import { codePath } from './code-path'

/** `tel:` as a QR code. Black on white in the dark too, for many a camera reads nothing else. */
export function PhoneCode({ number, shown }: { number: string; shown: string }) {
  const t = useTranslations('contact.qr')
  const { data, size } = encode(`tel:${number}`, { ecc: 'M', border: 4 })
  return (
    <figure className="flex w-60 flex-col items-center gap-1 text-center">
      <svg
        role="img"
        aria-label={t('alt', { phone: shown })}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="size-60 rounded-md border border-line"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={codePath(data)} fill="#000" />
      </svg>
      <figcaption className="mt-1.5">
        <p className="font-medium">{t('title')}</p>
        <p className="tabular text-sm text-mute">
          <bdi>{shown}</bdi>
        </p>
        <p className="mt-0.5 text-xs text-mute">{t('hint')}</p>
      </figcaption>
    </figure>
  )
}

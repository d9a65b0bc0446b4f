import { useTranslations } from 'next-intl'
import { QrCode } from '@/components/ui/qr-code'

/** `tel:` as a QR code. */
export function PhoneCode({ number, shown }: { number: string; shown: string }) {
  const t = useTranslations('contact.qr')
  return (
    <figure className="flex w-60 flex-col items-center gap-1 text-center">
      <QrCode
        text={`tel:${number}`}
        label={t('alt', { phone: shown })}
        className="size-60 rounded-md border border-line"
      />
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

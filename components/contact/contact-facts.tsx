import { Check, Copy, Mail, Phone, QrCode } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useCopy } from '@/components/desk/copy'
import { DeskLink } from '@/components/desk/navigate'
import { lazyPart } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import type { LeadItem } from '@/lib/api/leads'
import { displayPhone, isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { requestReply } from './reply-request'

export function Fact({ name, actions, children }: { name: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-12 flex-wrap content-center items-center gap-x-3 border-b border-line-soft py-2 pr-2.5 pl-4 last:border-b-0 @2xs:grid @2xs:grid-cols-[minmax(0,1fr)_auto] @lg:grid-cols-[6.75rem_minmax(0,1fr)_auto]">
      <dt className="flex-1 text-sm text-faint">{name}</dt>
      <dd className="tabular order-1 basis-full font-medium wrap-anywhere @2xs:order-none @2xs:col-start-1 @2xs:col-end-2 @lg:col-start-2 @lg:col-end-3">
        {children}
      </dd>
      {actions && (
        <dd className="flex flex-wrap gap-1.5 @2xs:col-start-2 @2xs:row-start-1 @2xs:row-end-3 @2xs:flex-nowrap @2xs:justify-end @lg:col-start-3 @lg:row-end-2">
          {actions}
        </dd>
      )}
    </div>
  )
}

/** An e-mail, or any other text: one too long for its line goes on after the @. */
export function Address({ text }: { text: string }) {
  const host = text.indexOf('@') + 1
  return (
    <>
      <span>{text.slice(0, host)}</span>
      <wbr />
      <span>{text.slice(host)}</span>
    </>
  )
}

const actionClass = `${buttonClass({ size: 'sm' })} touch:min-w-11`

export function EmailFact({ email, item, owner }: { email: string; owner?: ReactNode; item?: LeadItem | undefined }) {
  const t = useTranslations('lead')
  const actions = (
    <>
      {item !== undefined && <MailLink item={item} />}
      <CopyButton text={email} label={t('copyEmail')} />
    </>
  )
  return (
    <Fact name={t('field.email')} actions={actions}>
      <Address text={email} />
      {owner}
    </Fact>
  )
}

function MailLink({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const kind = isQuestion(item) ? 'asked-question' : 'declaration-of-interest'
  return (
    <DeskLink
      href={`${LISTS_BY_KIND[kind].href}?${new URLSearchParams({ lead: item.id })}`}
      aria-label={t('mail')}
      onNavigate={() => requestReply({ kind, id: item.id }, 'mail')}
      className={actionClass}
    >
      <Mail className="size-3.5" />
      <span className="hidden @lg:inline">{t('mail')}</span>
    </DeskLink>
  )
}

/** `isPlain` where the call is a button beside it. */
type PhoneFactProps = { phone: string; owner?: ReactNode; isPlain?: boolean }

/** A phone and what can be done with it; one that is no number stands as it came, and cannot be called. */
export function PhoneFact({ phone, owner, isPlain = false }: PhoneFactProps) {
  const t = useTranslations('lead')
  const number = toE164(phone)
  const shown = displayPhone(phone)
  const actions = (
    <>
      {number !== null && !isPlain && (
        <>
          <a href={`tel:${number}`} aria-label={t('call')} className={actionClass}>
            <Phone className="size-3.5" />
            <span className="hidden @lg:inline">{t('call')}</span>
          </a>
          <QrAction number={number} shown={shown} />
        </>
      )}
      <CopyButton text={shown} label={t('copyPhone')} />
    </>
  )
  return (
    <Fact name={t('field.phone')} actions={actions}>
      <bdi>{shown}</bdi>
      {owner}
      {number === null && (
        <span className="block text-xs font-normal text-faint">
          {t(isLikePersonalNumber(phone) ? 'personalNumber' : 'unreadablePhone')}
        </span>
      )}
    </Fact>
  )
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations('lead')
  const [copied, copy] = useCopy(text)
  return (
    <Button
      size="sm"
      className={cn('touch:min-w-11', copied && '[&>svg]:text-status-handled')}
      aria-label={label}
      onClick={copy}
      icon={copied ? Check : Copy}
      text={
        <span aria-live="polite" className="sr-only @lg:not-sr-only">
          {t(copied ? 'copied' : 'copy')}
        </span>
      }
    />
  )
}

export const PhoneCode = lazyPart(
  async () => {
    const { QrCode: Drawn } = await import('@/components/ui/qr-code')
    return function Code({ number, shown }: { number: string; shown: string }) {
      const t = useTranslations('contact.qr')
      return (
        <figure className="flex w-60 flex-col items-center gap-1 text-center">
          <Drawn
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
  },
  <Skeleton className="size-60" />,
  'contact',
)

/** The number as a code that a phone's camera dials; a phone itself has no use for it. */
function QrAction({ number, shown }: { number: string; shown: string }) {
  const t = useTranslations('lead')
  return (
    <span className="hidden desk:inline">
      <Popover
        label={t('qr')}
        align="end"
        className="p-4"
        trigger={(props) => (
          <button {...props} type="button" aria-label={t('qr')} title={t('qrHint')} className={actionClass}>
            <QrCode className="size-3.5" />
            <span aria-hidden className="hidden @lg:inline">
              QR
            </span>
          </button>
        )}
      >
        {() => <PhoneCode number={number} shown={shown} />}
      </Popover>
    </span>
  )
}

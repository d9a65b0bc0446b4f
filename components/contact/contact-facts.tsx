import { Mail, Phone, ShieldAlert } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DeskLink } from '@/components/app/navigate'
import { buttonClass } from '@/components/ui/button-class'
import { Notice } from '@/components/ui/notice'
import { isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { LeadRef } from '@/lib/contract/lead'
import { toLeadHref } from '@/lib/inbox/queues'
import { requestWriting } from './writing-request'

const actionClass = `${buttonClass({ size: 'sm' })} touch:min-w-11`

/** Shows one fact about a person. Its buttons are beside the value, or beside the name where there is little width. */
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

export function EmailFact({ email, lead, owner }: { email: string; owner?: ReactNode; lead?: LeadRef | undefined }) {
  const t = useTranslations('lead')
  const mailLink = lead && (
    <DeskLink
      href={toLeadHref(lead)}
      aria-label={t('mail')}
      onNavigate={() => requestWriting(lead, 'mail')}
      className={actionClass}
    >
      <Mail className="size-3.5" />
      <span className="hidden @lg:inline">{t('mail')}</span>
    </DeskLink>
  )
  return (
    <Fact name={t('field.email')} actions={mailLink}>
      {email}
      {owner}
    </Fact>
  )
}

type PhoneFactProps = { phone: string; owner?: ReactNode; isTextOnly?: boolean }

/** Shows a phone, with a link to call it unless `isTextOnly`. A text that is no phone number gets a note. */
export function PhoneFact({ phone, owner, isTextOnly = false }: PhoneFactProps) {
  const t = useTranslations('lead')
  const e164Number = toE164(phone)
  const callLink = e164Number !== null && !isTextOnly && (
    <a href={`tel:${e164Number}`} aria-label={t('call')} className={actionClass}>
      <Phone className="size-3.5" />
      <span className="hidden @lg:inline">{t('call')}</span>
    </a>
  )
  return (
    <Fact name={t('field.phone')} actions={callLink}>
      <bdi>{formatPhone(phone)}</bdi>
      {owner}
      {e164Number === null && (
        <span className="block text-xs font-normal text-faint">
          {t(isLikePersonalNumber(phone) ? 'personalNumber' : 'unreadablePhone')}
        </span>
      )}
    </Fact>
  )
}

export function ProtectedNotice({ people }: { people: readonly string[] }) {
  const t = useTranslations('lead.protected')
  const format = useFormatter()
  return (
    <Notice size="sm" className="mb-4 flex items-start gap-2">
      <ShieldAlert className="mt-0.5 size-4 shrink-0" />
      {t('shown', { people: format.list(people) })}
    </Notice>
  )
}

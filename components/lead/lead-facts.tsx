'use client'

import { Mail, Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import type { LeadItem } from '@/lib/api/lead-page'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { displayPhone } from '@/lib/phone/display-phone'
import { toE164 } from '@/lib/phone/to-e164'
import { fullTime } from '@/lib/time/format-time'
import { CopyButton } from './copy-button'

/** What is known about the lead, and what can be done with each of it. */
export function LeadFacts({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const isDeclaration = !isQuestion(item)
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {(isDeclaration || email !== null) && <EmailFact email={email} />}
      {(isDeclaration || phone !== null) && <PhoneFact phone={phone} />}
      {!isDeclaration && <ModeFact mode={item.sender.mode} />}
      <Fact name={t(isDeclaration ? 'field.declared' : 'field.asked')}>
        <ReceivedAt at={item.createdAt} />
      </Fact>
    </dl>
  )
}

function Fact({ name, actions, children }: { name: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 border-b border-line-soft py-2 pr-2.5 pl-4 last:border-b-0 desk:grid-cols-[5rem_minmax(0,1fr)_auto]">
      <dt className="text-sm text-faint">{name}</dt>
      <dd className="tabular col-start-1 font-medium wrap-anywhere desk:col-start-2">{children}</dd>
      {actions !== undefined && (
        <dd className="col-start-2 row-span-2 row-start-1 flex gap-1.5 desk:col-start-3 desk:row-span-1">{actions}</dd>
      )}
    </div>
  )
}

function EmailFact({ email }: { email: string | null }) {
  const t = useTranslations('lead')
  if (email === null) return <MissingFact name={t('field.email')} />
  const actions = (
    <>
      <a
        href={`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`}
        aria-label={t('mail')}
        className={`${buttonClass({ size: 'sm' })} touch:min-w-11`}
      >
        <Mail aria-hidden className="size-3.5" />
        <span className="hidden desk:inline">{t('mail')}</span>
      </a>
      <CopyButton text={email} label={t('copyEmail')} />
    </>
  )
  return (
    <Fact name={t('field.email')} actions={actions}>
      {email}
    </Fact>
  )
}

/** A phone that is no number stands as it came, and cannot be called. */
function PhoneFact({ phone }: { phone: string | null }) {
  const t = useTranslations('lead')
  if (phone === null) return <MissingFact name={t('field.phone')} />
  const number = toE164(phone)
  const shown = displayPhone(phone)
  const actions = (
    <>
      {number !== null && (
        <a href={`tel:${number}`} aria-label={t('call')} className={`${buttonClass({ size: 'sm' })} touch:min-w-11`}>
          <Phone aria-hidden className="size-3.5" />
          <span className="hidden desk:inline">{t('call')}</span>
        </a>
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

function MissingFact({ name }: { name: string }) {
  const t = useTranslations('lead')
  return (
    <Fact name={name}>
      <span className="font-normal text-faint">{t('missing')}</span>
    </Fact>
  )
}

/** A way of contact that we have no word for is shown as the service says it. */
function ModeFact({ mode }: { mode: string }) {
  const t = useTranslations()
  const word = mode === 'email' || mode === 'phone' ? t(`inbox.mode.${mode}`) : mode
  return <Fact name={t('lead.field.mode')}>{word}</Fact>
}

function ReceivedAt({ at }: { at: string }) {
  const locale = useLocale()
  const ms = Date.parse(at)
  return <time dateTime={at}>{Number.isNaN(ms) ? at : fullTime(ms, locale)}</time>
}

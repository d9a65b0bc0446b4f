'use client'

import { Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { MailAction } from '@/components/contact/mail-action'
import { QrAction } from '@/components/contact/qr-action'
import { VcardAction } from '@/components/contact/vcard-action'
import { buttonClass } from '@/components/ui/button-class'
import type { LeadItem } from '@/lib/api/lead-page'
import type { LeadKind } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { displayPhone } from '@/lib/phone/display-phone'
import { toE164 } from '@/lib/phone/to-e164'
import { fullTime } from '@/lib/time/format-time'
import { CopyButton } from './copy-button'
import { Fact } from './fact'

const action = `${buttonClass({ size: 'sm' })} touch:min-w-11`

/** What is known about the lead, and what can be done with each of it. */
export function LeadFacts({ kind, item }: { kind: LeadKind; item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const isDeclaration = !isQuestion(item)
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {(isDeclaration || email !== null) && <EmailFact item={item} email={email} />}
      {(isDeclaration || phone !== null) && <PhoneFact phone={phone} />}
      {!isDeclaration && <ModeFact mode={item.sender.mode} />}
      <Fact
        name={t(isDeclaration ? 'field.declared' : 'field.asked')}
        actions={(email ?? phone) !== null && <VcardAction lead={{ kind, id: item.id }} className={action} />}
      >
        <ReceivedAt at={item.createdAt} />
      </Fact>
    </dl>
  )
}

function EmailFact({ item, email }: { item: LeadItem; email: string | null }) {
  const t = useTranslations('lead')
  if (email === null) return <MissingFact name={t('field.email')} />
  const actions = (
    <>
      <MailAction item={item} email={email} className={action} />
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

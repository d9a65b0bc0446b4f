'use client'

import { useLocale, useTranslations } from 'next-intl'
import { MailAction } from '@/components/contact/mail-action'
import { VcardAction } from '@/components/contact/vcard-action'
import { buttonClass } from '@/components/ui/button-class'
import type { LeadItem } from '@/lib/api/lead-page'
import type { LeadKind } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { fullTime } from '@/lib/time/format-time'
import { CopyButton } from './copy-button'
import { Fact } from './fact'
import { PhoneFact } from './phone-fact'

const action = `${buttonClass({ size: 'sm' })} touch:min-w-11`

/** What is known about the lead, and what can be done with each of it. */
export function LeadFacts({ kind, item }: { kind: LeadKind; item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const isDeclaration = !isQuestion(item)
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {(isDeclaration || email !== null) && <EmailFact item={item} email={email} />}
      {(isDeclaration || phone !== null) &&
        (phone === null ? <MissingFact name={t('field.phone')} /> : <PhoneFact phone={phone} />)}
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

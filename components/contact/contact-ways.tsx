'use client'

import { useTranslations } from 'next-intl'
import { CopyButton } from '@/components/lead/copy-button'
import { Fact } from '@/components/lead/fact'
import { PhoneFact } from '@/components/lead/phone-fact'
import { buttonClass } from '@/components/ui/button-class'
import { comparableEmail } from '@/lib/contacts/contact-key'
import type { ContactLead } from '@/lib/contract/contact'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { MailAction } from './mail-action'
import type { Person } from './person-of'
import { VcardAction } from './vcard-action'

const action = `${buttonClass({ size: 'sm' })} touch:min-w-11`

/** Every e-mail and phone that was given, with what can be done with each. */
export function ContactWays({ leads, person }: { leads: readonly ContactLead[]; person: Person }) {
  const t = useTranslations('lead')
  if (person.emails.length + person.phones.length === 0) return null
  const source = leads.find(({ kind }) => kind === 'declaration-of-interest') ?? leads[0]
  return (
    <section className="flex flex-col gap-2.5">
      <dl className="rounded-lg border border-line bg-panel shadow-card">
        {person.emails.map((email) => (
          <EmailWay key={email} email={email} leads={leads} />
        ))}
        {person.phones.map((phone) => (
          <PhoneFact key={phone} phone={phone} />
        ))}
      </dl>
      {source !== undefined && (
        <p className="flex justify-end" aria-label={t('actions')}>
          <VcardAction lead={{ kind: source.kind, id: source.lead.id }} className={action} />
        </p>
      )}
    </section>
  )
}

/** A mail is about the newest lead that came from this address, a declaration before a question: it has a name. */
function EmailWay({ email, leads }: { email: string; leads: readonly ContactLead[] }) {
  const t = useTranslations('lead')
  const from = leads.map(({ lead }) => lead).filter((lead) => isFrom(contactOf(lead).email, email))
  const item = from.find((lead) => !isQuestion(lead)) ?? from[0]
  const actions = (
    <>
      {item !== undefined && <MailAction item={item} email={email} className={action} />}
      <CopyButton text={email} label={t('copyEmail')} />
    </>
  )
  return (
    <Fact name={t('field.email')} actions={actions}>
      {email}
    </Fact>
  )
}

function isFrom(given: string | null, email: string): boolean {
  return comparableEmail(given) === comparableEmail(email)
}

'use client'

import { ArrowLeft, Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { type MouseEvent, useState } from 'react'
import { useCommands } from '@/components/app/commands'
import { lazyPart } from '@/components/app/lazy-part'
import { DeskLink } from '@/components/app/navigate'
import { useHistory } from './history'
import { HistoryEntries } from './history-entries'
import { useContact } from '@/components/app/use-triage'
import { useTriage } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { SectionHeading } from '@/components/ui/headings'
import { OutdatedBanner } from '@/components/ui/notice'
import { ApiError, type Asked } from '@/lib/api/send'
import { comparableEmail } from '@/lib/contacts/contact-key'
import type { Contact, ContactLead } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { EmailFact, PhoneFact } from './contact-facts'
import { ContactNotFound } from './contact-not-found'
import { HandleAll } from './handle-all'
import { type Connection, connectionsOf, leadsOfOnePerson, type Person, personOf } from './person'
import { ProtectedNotice } from './protected-lead'
import { TimelineEntry } from './timeline'

const Rights = lazyPart(async () => (await import('./rights-section')).RightsSection, null, 'rights')

type ContactScreenProps = { initial: Contact & Asked; mayDecide: boolean; hasRights: boolean }

export function ContactScreen({ initial, mayDecide, hasRights }: ContactScreenProps) {
  const t = useTranslations('contact')
  const router = useRouter()
  const { data = initial, error } = useContact(initial.id, { initialData: initial })
  const { leads, total } = data
  const [newest] = leads
  if (newest === undefined || (error instanceof ApiError && error.kind === 'not-found')) return <ContactNotFound />
  const person = personOf(leads)
  const [name, ...otherNames] = person.names
  // The way back is the page before; where the tab began with this page, it is the person's newest lead in its list.
  const back = (event: MouseEvent) => {
    const isFirst = performance.getEntriesByType('navigation')[0]?.name === location.href
    if (isFirst || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    router.back()
  }
  return (
    <article className="page @container [&>*]:max-w-184">
      <header>
        <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm text-mute">
          <DeskLink
            href={`${LISTS_BY_KIND[newest.kind].href}?${new URLSearchParams({ lead: newest.lead.id })}`}
            onClick={back}
            className={buttonClass({ variant: 'ghost', size: 'sm', className: '-ml-2.5 print:hidden' })}
          >
            <ArrowLeft className="size-3.5" />
            {t('back')}
          </DeskLink>
          {t('title')}
        </div>
        <h1 dir="auto" className="text-left text-title font-semibold wrap-anywhere">
          {name ?? person.emails[0]?.text ?? person.phones[0]?.text ?? (
            <span className="text-faint italic">{t('unnamed')}</span>
          )}
        </h1>
        {otherNames.length > 0 && (
          <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm text-mute">
            {t('alsoNamed')}
            {otherNames.map((other) => (
              <bdi key={other} className="font-medium text-ink wrap-anywhere">
                {other}
              </bdi>
            ))}
          </p>
        )}
        <p className="tabular mt-1.5 text-sm text-mute">{t('leads', { count: total })}</p>
      </header>
      {error !== null && <OutdatedBanner />}
      {newest.lead.protected !== undefined && <ProtectedNotice people={newest.lead.protected.people} />}
      <ContactDetails leads={leads} person={person} />
      <ContactLeads contact={data} mayDecide={mayDecide} />
      {leads.length > 1 && (
        <p className="flex gap-2 text-xs text-mute">
          <Info className="size-4 shrink-0" />
          {t('separate')}
        </p>
      )}
      {hasRights && <Rights contactId={initial.id} />}
    </article>
  )
}

function ContactDetails({ leads, person }: { leads: readonly ContactLead[]; person: Person }) {
  const t = useTranslations('contact')
  if (person.emails.length + person.phones.length === 0) return null
  // Siblings share a phone, and each has an address of their own.
  const ownerOf = (names: readonly string[]) => {
    if (person.names.length <= 1) return null
    if (names.length === 0) return <span className="block text-xs font-normal text-faint">{t('ownerless')}</span>
    return <bdi className="block text-xs font-normal text-mute">{names.join(', ')}</bdi>
  }
  // A mail is about the newest lead that came from this address, a declaration before a question: it has a name.
  const leadFrom = (email: string) => {
    const isFrom = ({ lead }: ContactLead) => comparableEmail(contactOf(lead).email) === comparableEmail(email)
    const sent = leads.filter(isFrom).map(({ lead }) => lead)
    return sent.find((lead) => !isQuestion(lead)) ?? sent[0]
  }
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {person.emails.map(({ text, names }) => (
        <EmailFact key={text} email={text} item={leadFrom(text)} owner={ownerOf(names)} />
      ))}
      {person.phones.map(({ text, names }) => (
        <PhoneFact key={text} phone={text} owner={ownerOf(names)} />
      ))}
    </dl>
  )
}

const SHOWN_AT_ONCE = 20

function ContactLeads({ contact, mayDecide }: { contact: Contact; mayDecide: boolean }) {
  const { leads, total } = contact
  const t = useTranslations('contact.timeline')
  const [shownCount, setShownCount] = useState(SHOWN_AT_ONCE)
  const connections = connectionsOf(leads)
  const anchors = leads.flatMap(({ lead, reason }) => (reason.by === 'anchor' ? [lead] : []))
  const triage = useTriage()
  useCommands({ undo: mayDecide ? () => void triage.undo() : undefined })
  return (
    <section aria-labelledby="timeline">
      <SectionHeading id="timeline" text={t('title')} count={total} />
      {mayDecide && <HandleAll leads={leadsOfOnePerson(contact, anchors)} />}
      <ol className="-mx-3.5 flex flex-col gap-2">
        {leads.slice(0, shownCount).map((found, index) => (
          <LeadEntry key={found.kind + found.lead.id} found={found} connection={connections[index]} />
        ))}
      </ol>
      {leads.length > shownCount ? (
        <Button
          text={t('showMore', { count: leads.length - shownCount })}
          size="sm"
          className="mt-1"
          onClick={() => setShownCount(shownCount + SHOWN_AT_ONCE)}
        />
      ) : (
        leads.length < total && (
          <p className="mt-2 text-xs text-mute">{t('truncated', { shown: leads.length, total })}</p>
        )
      )}
    </section>
  )
}

function LeadEntry({ found, connection }: { found: ContactLead; connection: Connection | undefined }) {
  const lead = { kind: found.kind, id: found.lead.id }
  const { entries = [], problem } = useHistory(lead)
  return (
    <TimelineEntry found={found} connection={connection}>
      <div className="mt-2 max-w-150">
        <HistoryEntries lead={lead} entries={entries} />
        {problem}
      </div>
    </TimelineEntry>
  )
}

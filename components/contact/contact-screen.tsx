'use client'

import { useQuery } from '@tanstack/react-query'
import { Info, NotebookPen } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useThisYear } from '@/components/browser/clock'
import { NoteComposer } from '@/components/notes/note-composer'
import { NoteList } from '@/components/notes/notes'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { SectionHeading } from '@/components/ui/section-heading'
import { contact as contactQuery } from '@/lib/api/contacts'
import type { LeadItem } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import { comparableEmail } from '@/lib/contacts/contact-key'
import type { Contact, ContactLead } from '@/lib/contract/contact'
import type { LeadRef } from '@/lib/contract/lead'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { EmailFact, PhoneFact, VcardAction } from './contact-facts'
import { ContactGone } from './contact-gone'
import { MinorMark, minorOf } from './minor'
import { type Connection, connectionsOf, type Person, personOf } from './person'
import { TimelineEntry } from './timeline'

/** A person, as far as their leads tell: names as given, ways to reach them, every lead within reach with its notes. */
export function ContactScreen({ first }: { first: Contact }) {
  const t = useTranslations('contact')
  const { data, error } = useQuery({ ...contactQuery(first.id), initialData: first })
  const thisYear = useThisYear()
  const { leads, total } = data
  const [newest] = leads
  if (newest === undefined || (error instanceof ApiError && error.kind === 'not-found')) return <ContactGone />
  const person = personOf(leads)
  const all = leads.map(({ lead }) => lead)
  const [name, ...otherNames] = person.names
  return (
    <article className="@container mx-auto flex max-w-4xl flex-col gap-6 p-4 desk:px-8 desk:py-7">
      <header>
        <p className="text-sm text-mute">{t('title')}</p>
        <h1 dir="auto" className="text-start text-xl font-semibold wrap-anywhere">
          {name ?? person.emails[0] ?? person.phones[0] ?? <span className="text-faint italic">{t('unnamed')}</span>}
        </h1>
        {otherNames.length > 0 && <OtherNames names={otherNames} />}
        <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-mute">
          <span className="tabular">{t('leads', { count: total })}</span>
          <MinorMark minor={minorOf(newest.lead, all, thisYear)} />
        </p>
      </header>
      {error !== null && (
        <Notice size="banner" role="alert">
          {t('outdated')}
        </Notice>
      )}
      <ContactWays leads={leads} person={person} />
      <ContactLeads contact={data} />
      {leads.length > 1 && (
        <p className="flex gap-2 text-xs text-mute">
          <Info aria-hidden className="size-4 shrink-0" />
          {t('separate')}
        </p>
      )}
    </article>
  )
}

function OtherNames({ names }: { names: readonly string[] }) {
  const t = useTranslations('contact')
  return (
    <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm text-mute">
      {t('alsoNamed')}
      {names.map((name) => (
        <bdi key={name} className="font-medium text-ink wrap-anywhere">
          {name}
        </bdi>
      ))}
    </p>
  )
}

/** Every e-mail and phone that was given, with what can be done with each. */
function ContactWays({ leads, person }: { leads: readonly ContactLead[]; person: Person }) {
  const t = useTranslations('lead')
  if (person.emails.length + person.phones.length === 0) return null
  const source = leads.find(({ kind }) => kind === 'declaration-of-interest') ?? leads[0]
  return (
    <section className="flex flex-col gap-2.5">
      <dl className="rounded-lg border border-line bg-panel shadow-card">
        {person.emails.map((email) => (
          <EmailFact key={email} email={email} item={itemFrom(email, leads)} />
        ))}
        {person.phones.map((phone) => (
          <PhoneFact key={phone} phone={phone} />
        ))}
      </dl>
      {source !== undefined && (
        <p className="flex justify-end" aria-label={t('actions')}>
          <VcardAction lead={{ kind: source.kind, id: source.lead.id }} />
        </p>
      )}
    </section>
  )
}

/** A mail is about the newest lead that came from this address, a declaration before a question: it has a name. */
function itemFrom(email: string, leads: readonly ContactLead[]): LeadItem | undefined {
  const from = leads.map(({ lead }) => lead).filter((lead) => isFrom(contactOf(lead).email, email))
  return from.find((lead) => !isQuestion(lead)) ?? from[0]
}

function isFrom(given: string | null, email: string): boolean {
  return comparableEmail(given) === comparableEmail(email)
}

/** Each shown lead asks for its notes, so not all at once. */
const STEP = 20

function ContactLeads({ contact: { leads, total } }: { contact: Contact }) {
  const t = useTranslations('contact.timeline')
  const [most, setMost] = useState(STEP)
  const connections = connectionsOf(leads)
  return (
    <section aria-labelledby="timeline">
      <SectionHeading id="timeline" level={2} count={total}>
        {t('title')}
      </SectionHeading>
      <ol className="ml-1.75 border-l-2 border-line">
        {leads.slice(0, most).map((found, index) => (
          <Entry key={found.kind + found.lead.id} found={found} connection={connections[index] ?? null} />
        ))}
      </ol>
      {leads.length > most && (
        <Button size="sm" className="mt-1" onClick={() => setMost(most + STEP * 5)}>
          {t('showMore', { count: leads.length - most })}
        </Button>
      )}
      {leads.length <= most && leads.length < total && (
        <p className="mt-2 text-xs text-mute">{t('cut', { shown: leads.length, total })}</p>
      )}
    </section>
  )
}

function Entry({ found: { kind, lead }, connection }: { found: ContactLead; connection: Connection | null }) {
  return (
    <TimelineEntry kind={kind} lead={lead} connection={connection} name={nameOf(lead)}>
      <EntryNotes lead={{ kind, id: lead.id }} />
    </TimelineEntry>
  )
}

function EntryNotes({ lead }: { lead: LeadRef }) {
  const t = useTranslations('contact.notes')
  const [isWriting, setWriting] = useState(false)
  return (
    <div className="mt-2 max-w-150">
      <NoteList lead={lead} isQuiet />
      {isWriting ? (
        <NoteComposer lead={lead} isFocused />
      ) : (
        <Button variant="ghost" size="sm" className="-ml-2.5" onClick={() => setWriting(true)}>
          <NotebookPen aria-hidden className="size-3.5" />
          {t('label')}
        </Button>
      )}
    </div>
  )
}

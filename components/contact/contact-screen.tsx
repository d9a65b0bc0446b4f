'use client'

import { useQuery } from '@tanstack/react-query'
import { Eye, Info, NotebookPen } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { useThisYear } from '@/components/browser/clock'
import { useCommands } from '@/components/desk/commands'
import { useCurrentUser } from '@/components/desk/current-user'
import { DeskLink } from '@/components/desk/go'
import { lazyPart } from '@/components/desk/lazy-part'
import { NoteComposer } from '@/components/notes/note-composer'
import { NoteList } from '@/components/notes/notes'
import { useTriage } from '@/components/triage/use-triage'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Notice } from '@/components/ui/notice'
import { SectionHeading } from '@/components/ui/section-heading'
import { contactQuery } from '@/lib/api/queries'
import type { LeadItem } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import { comparableEmail } from '@/lib/contacts/contact-key'
import type { Contact, ContactLead } from '@/lib/contract/contact'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { AllOpen } from './all-open'
import { EmailFact, PhoneFact, VcardAction } from './contact-facts'
import { ContactGone } from './contact-gone'
import { EntryDecisions } from './entry-decisions'
import { MinorMark, minorOf } from './minor'
import { type Connection, connectionsOf, isSamePerson, type Person, personOf } from './person'
import { ProtectedNotice } from './protected-lead'
import { TimelineEntry } from './timeline'
import { WayBack } from './way-back'

const Rights = lazyPart(async () => (await import('./rights-section')).RightsSection, null, 'rights')

type ContactScreenProps = {
  first: Contact
  mayDecide: boolean
  /** For administrators. */
  hasRights: boolean
}

/** A person, as far as their leads tell: names as given, ways to reach them, every lead within reach with its notes. */
export function ContactScreen({ first, mayDecide, hasRights }: ContactScreenProps) {
  const t = useTranslations('contact')
  const { data, error } = useQuery({ ...contactQuery(first.id), initialData: first })
  const thisYear = useThisYear()
  const isAdmin = useCurrentUser()?.isAdmin === true
  const { leads, total } = data
  const [newest] = leads
  if (newest === undefined || (error instanceof ApiError && error.kind === 'not-found')) return <ContactGone />
  const person = personOf(leads)
  const all = leads.map(({ lead }) => lead)
  const [name, ...otherNames] = person.names
  return (
    <article className="page @container [&>*]:max-w-184">
      <header>
        <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm text-mute">
          <WayBack newest={newest} />
          {t('title')}
          {isAdmin && <WhoLooked contact={first.id} />}
        </div>
        <h1 dir="auto" className="text-left text-title font-semibold wrap-anywhere">
          {name ?? person.emails[0]?.text ?? person.phones[0]?.text ?? (
            <span className="text-faint italic">{t('unnamed')}</span>
          )}
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
      {newest.lead.protected !== undefined && <ProtectedNotice people={newest.lead.protected.people} />}
      <ContactWays leads={leads} person={person} />
      <ContactLeads contact={data} mayDecide={mayDecide} />
      {leads.length > 1 && (
        <p className="flex gap-2 text-xs text-mute">
          <Info aria-hidden className="size-4 shrink-0" />
          {t('separate')}
        </p>
      )}
      {hasRights && <Rights contactId={first.id} />}
    </article>
  )
}

/** For administrators: who has looked at this person's leads. */
function WhoLooked({ contact }: { contact: string }) {
  const t = useTranslations('contact')
  return (
    <DeskLink
      href={`/admin/activity/leads?${new URLSearchParams({ contact })}`}
      className={buttonClass({ variant: 'ghost', size: 'sm', className: 'ml-auto print:hidden' })}
    >
      <Eye aria-hidden className="size-3.5" />
      {t('whoLooked')}
    </DeskLink>
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
  const isProtected = leads.some(({ lead }) => lead.protected !== undefined)
  const source = leads.find(({ kind }) => kind === 'declaration-of-interest') ?? leads[0]
  // Siblings share a phone, and each has an address of their own.
  const ownerOf = (names: readonly string[]) => person.names.length > 1 && <Owner names={names} />
  return (
    <section className="flex flex-col gap-2.5">
      <dl className="rounded-lg border border-line bg-panel shadow-card">
        {person.emails.map(({ text, names }) => (
          <EmailFact key={text} email={text} item={itemFrom(text, leads)} owner={ownerOf(names)} />
        ))}
        {person.phones.map(({ text, names }) => (
          <PhoneFact key={text} phone={text} owner={ownerOf(names)} />
        ))}
      </dl>
      {source !== undefined && !isProtected && (
        <p className="flex justify-end" aria-label={t('actions')}>
          <VcardAction lead={{ kind: source.kind, id: source.lead.id }} />
        </p>
      )}
    </section>
  )
}

/** Under whose names an e-mail or phone was given. */
function Owner({ names }: { names: readonly string[] }) {
  const t = useTranslations('contact')
  if (names.length === 0) return <span className="block text-xs font-normal text-faint">{t('ownerless')}</span>
  return (
    <span className="block text-xs font-normal text-mute">
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
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

function ContactLeads({ contact: { leads, total }, mayDecide }: { contact: Contact; mayDecide: boolean }) {
  const t = useTranslations('contact.timeline')
  const [most, setMost] = useState(STEP)
  const connections = connectionsOf(leads)
  const triage = useTriage()
  useCommands({ undo: mayDecide ? () => void triage.undo() : undefined })
  return (
    <section aria-labelledby="timeline">
      <SectionHeading id="timeline" level={2} count={total}>
        {t('title')}
      </SectionHeading>
      {mayDecide && <AllOpen leads={leads.filter(({ reason }) => isSamePerson(reason))} />}
      <ol className="ml-1.75 border-l-2 border-line">
        {leads.slice(0, most).map((found, index) => (
          <Entry
            key={found.kind + found.lead.id}
            found={found}
            connection={connections[index] ?? null}
            mayDecide={mayDecide}
          />
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

type EntryProps = { found: ContactLead; connection: Connection | null; mayDecide: boolean }

/** A lead with what colleagues have noted, and what can be done with it here. */
function Entry({ found: { kind, lead }, connection, mayDecide }: EntryProps) {
  const t = useTranslations('contact.notes')
  const [isWriting, setWriting] = useState(false)
  const ref = { kind, id: lead.id }
  return (
    <TimelineEntry kind={kind} lead={lead} connection={connection} name={nameOf(lead)}>
      <div className="mt-2 max-w-150">
        <NoteList lead={ref} isQuiet />
        <div className="flex flex-wrap items-center gap-1.5">
          {mayDecide && <EntryDecisions kind={kind} lead={lead} />}
          {!isWriting && (
            <Button variant="ghost" size="sm" onClick={() => setWriting(true)}>
              <NotebookPen aria-hidden className="size-3.5" />
              {t('label')}
            </Button>
          )}
        </div>
        {isWriting && (
          <div className="mt-2">
            <NoteComposer lead={ref} isFocused />
          </div>
        )}
      </div>
    </TimelineEntry>
  )
}

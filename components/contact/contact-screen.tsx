'use client'

import { ArrowLeft, Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { Fragment, type MouseEvent } from 'react'
import { DeskLink } from '@/components/desk/navigate'
import { lazyPart } from '@/components/desk/lazy-part'
import { buttonClass } from '@/components/ui/button-class'
import { OutdatedBanner } from '@/components/ui/notice'
import { useContact } from '@/components/triage/use-pending'
import type { LeadItem } from '@/lib/api/leads'
import { ApiError, type Asked } from '@/lib/api/send'
import { comparableEmail } from '@/lib/contacts/contact-key'
import type { Contact, ContactLead } from '@/lib/contract/lead'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { EmailFact, PhoneFact } from './contact-facts'
import { ContactNotFound } from './contact-not-found'
import { ContactLeads } from './contact-leads'
import { type Person, personOf } from './person'
import { ProtectedNotice } from './protected-lead'

const Rights = lazyPart(async () => (await import('./rights-section')).RightsSection, null, 'rights', 'activity')

type ContactScreenProps = { initial: Contact & Asked; mayDecide: boolean; hasRights: boolean }

export function ContactScreen({ initial, mayDecide, hasRights }: ContactScreenProps) {
  const t = useTranslations('contact')
  const { data = initial, error } = useContact(initial.id, { initialData: initial })
  const { leads, total } = data
  const [newest] = leads
  if (newest === undefined || (error instanceof ApiError && error.kind === 'not-found')) return <ContactNotFound />
  const person = personOf(leads)
  const [name, ...otherNames] = person.names
  return (
    <article className="page @container [&>*]:max-w-184">
      <header>
        <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm text-mute">
          <BackLink newest={newest} />
          {t('title')}
        </div>
        <h1 dir="auto" className="text-left text-title font-semibold wrap-anywhere">
          {name ?? person.emails[0]?.text ?? person.phones[0]?.text ?? (
            <span className="text-faint italic">{t('unnamed')}</span>
          )}
        </h1>
        {otherNames.length > 0 && <OtherNames names={otherNames} />}
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

function ContactDetails({ leads, person }: { leads: readonly ContactLead[]; person: Person }) {
  if (person.emails.length + person.phones.length === 0) return null
  // Siblings share a phone, and each has an address of their own.
  const ownerOf = (names: readonly string[]) => person.names.length > 1 && <Owner names={names} />
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {person.emails.map(({ text, names }) => (
        <EmailFact key={text} email={text} item={leadFrom(text, leads)} owner={ownerOf(names)} />
      ))}
      {person.phones.map(({ text, names }) => (
        <PhoneFact key={text} phone={text} owner={ownerOf(names)} />
      ))}
    </dl>
  )
}

function Owner({ names }: { names: readonly string[] }) {
  const t = useTranslations('contact')
  if (names.length === 0) return <span className="block text-xs font-normal text-faint">{t('ownerless')}</span>
  return (
    <span className="block text-xs font-normal text-mute">
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && <span>, </span>}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
  )
}

/** A mail is about the newest lead that came from this address, a declaration before a question: it has a name. */
function leadFrom(email: string, leads: readonly ContactLead[]): LeadItem | undefined {
  const isFrom = (lead: LeadItem) => comparableEmail(contactOf(lead).email) === comparableEmail(email)
  const from = leads.map(({ lead }) => lead).filter(isFrom)
  return from.find((lead) => !isQuestion(lead)) ?? from[0]
}

/** Back to the page before; after a link from elsewhere, to the person's newest lead in its list. */
function BackLink({ newest: { kind, lead } }: { newest: ContactLead }) {
  const t = useTranslations('contact')
  const router = useRouter()
  const back = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !cameFromDesk(window)) return
    event.preventDefault()
    router.back()
  }
  return (
    <DeskLink
      href={`${LISTS_BY_KIND[kind].href}?${new URLSearchParams({ lead: lead.id })}`}
      onClick={back}
      className={buttonClass({ variant: 'ghost', size: 'sm', className: '-ml-2.5 print:hidden' })}
    >
      <ArrowLeft className="size-3.5" />
      {t('back')}
    </DeskLink>
  )
}

type Entry = { readonly index: number; readonly url: string | null }
type NavigationLike = { readonly currentEntry: Entry | null; entries: () => readonly Entry[] }

/** Whether the page before this one in the tab is one of the desk's, and not where one signs in. */
function cameFromDesk({ navigation, location }: { navigation?: NavigationLike; location: Location }): boolean {
  const index = navigation?.currentEntry?.index ?? 0
  const { url = null } = navigation?.entries()[index - 1] ?? {}
  if (url === null) return false
  const { origin, pathname } = new URL(url)
  return origin === location.origin && !/^\/(signin|invite)/.test(pathname)
}

'use client'

import { ArrowLeft, Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { type MouseEvent, useState } from 'react'
import { useCommands } from '@/components/app/commands'
import { lazyPart } from '@/components/app/lazy-part'
import { DeskLink } from '@/components/app/navigate'
import { useContact } from '@/components/app/own-changes'
import { useTriage } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { SectionHeading } from '@/components/ui/headings'
import { LoadFailure } from '@/components/ui/load-failure'
import { OutdatedBanner } from '@/components/ui/notice'
import { type WithRequestTime, hasStatus } from '@/lib/api/send'
import { toTraces } from '@/lib/contacts/contact-leads'
import type { Contact } from '@/lib/contract/lead'
import { toLeadHref } from '@/lib/inbox/queues'
import { EmailFact, PhoneFact, ProtectedNotice } from './contact-facts'
import { ContactNotFound } from './contact-not-found'
import { HandleAllPanel } from './handle-all-panel'
import { HistoryEntries, LeadEntry, type LeadEntryProps } from './history-entries'
import { useLeadHistory } from './lead-history'
import { summarizePerson } from './person'

const RightsSection = lazyPart(async () => (await import('./rights-section')).RightsSection, null, 'rights')

const LEADS_PER_STEP = 20

type ContactScreenProps = { initial: Contact & WithRequestTime; mayDecide: boolean; mayManageRights: boolean }

export function ContactScreen({ initial, mayDecide, mayManageRights }: ContactScreenProps) {
  const t = useTranslations('contact')
  const router = useRouter()
  const { data = initial, error } = useContact(initial.id, { initialData: initial })
  const { leads, total } = data
  const [newest] = leads
  if (newest === undefined || hasStatus(error, 404)) return <ContactNotFound />
  const person = summarizePerson(leads)
  const [name, ...otherNames] = person.names
  // If there are several names, each e-mail and phone says whose it is, because siblings may share a phone.
  const renderOwner = (names: readonly string[]) =>
    person.names.length > 1 && <bdi className="block text-xs font-normal text-mute">{names.join(', ')}</bdi>
  // The link goes back in the tab's history, or to the newest lead if this page was loaded first and has no history.
  const goBack = (event: MouseEvent) => {
    const wasLoadedHere = performance.getEntriesByType('navigation')[0]?.name === location.href
    if (wasLoadedHere || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    router.back()
  }
  return (
    <article className="page @container [&>*]:max-w-184">
      <header>
        <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm text-mute">
          <DeskLink
            href={toLeadHref({ kind: newest.kind, id: newest.lead.id })}
            onClick={goBack}
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
      {newest.lead.protected && <ProtectedNotice people={newest.lead.protected.people} />}
      <dl className="card empty:hidden">
        {person.emails.map((email) => (
          <EmailFact key={email.text} email={email.text} lead={email.lead} owner={renderOwner(email.names)} />
        ))}
        {person.phones.map((phone) => (
          <PhoneFact key={phone.text} phone={phone.text} owner={renderOwner(phone.names)} />
        ))}
      </dl>
      <ContactLeads contact={data} mayDecide={mayDecide} />
      {leads.length > 1 && (
        <p className="flex gap-2 text-xs text-mute">
          <Info className="size-4 shrink-0" />
          {t('separate')}
        </p>
      )}
      {mayManageRights && <RightsSection contactId={initial.id} />}
    </article>
  )
}

function ContactLeads({ contact, mayDecide }: { contact: Contact; mayDecide: boolean }) {
  const { leads, total } = contact
  const t = useTranslations('contact.timeline')
  const [shownCount, setShownCount] = useState(LEADS_PER_STEP)
  const anchorLeads = leads.flatMap(({ lead, reason }) => (reason.by === 'anchor' ? [lead] : []))
  // A lead that joined the contact by an address may be another person's, so it is compared with the contact's own.
  const newestNamedLead = anchorLeads.find((lead) => toTraces(lead).name !== null)
  const triage = useTriage()
  useCommands({ undo: mayDecide ? () => void triage.undo() : undefined })
  return (
    <section aria-labelledby="timeline">
      <SectionHeading id="timeline" text={t('title')} count={total} />
      {mayDecide && <HandleAllPanel contact={contact} anchorLeads={anchorLeads} />}
      <ol className="-mx-3.5 flex flex-col gap-2">
        {leads.slice(0, shownCount).map((entry) => (
          <LeadWithHistory key={entry.kind + entry.lead.id} contactLead={entry} referenceLead={newestNamedLead} />
        ))}
      </ol>
      {leads.length > shownCount ? (
        <Button
          text={t('showMore', { count: leads.length - shownCount })}
          size="sm"
          className="mt-1"
          onClick={() => setShownCount(shownCount + LEADS_PER_STEP)}
        />
      ) : (
        leads.length < total && (
          <p className="mt-2 text-xs text-mute">{t('truncated', { shown: leads.length, total })}</p>
        )
      )}
    </section>
  )
}

function LeadWithHistory({ contactLead, referenceLead }: LeadEntryProps) {
  const lead = { kind: contactLead.kind, id: contactLead.lead.id }
  const { entries, retryLoading } = useLeadHistory(lead)
  return (
    <LeadEntry contactLead={contactLead} referenceLead={referenceLead}>
      <div className="mt-2 max-w-150">
        {entries && <HistoryEntries lead={lead} entries={entries} />}
        {retryLoading && <LoadFailure className="mb-3" onRetry={retryLoading} />}
      </div>
    </LeadEntry>
  )
}

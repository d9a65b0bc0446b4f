import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCommands } from '@/components/desk/commands'
import { useNotes } from '@/components/notes/history'
import { NoteList } from '@/components/notes/notes'
import { useTriage } from '@/components/triage/use-triage'
import { Button } from '@/components/ui/button'
import { SectionHeading } from '@/components/ui/headings'
import type { Contact, ContactLead } from '@/lib/contract/lead'
import { nameOf } from '@/lib/inbox/lead-text'
import { HandleAll } from './handle-all'
import { type Connection, connectionsOf, leadsOfOnePerson } from './person'
import { TimelineEntry } from './timeline'

const INITIAL_COUNT = 20
const MORE_COUNT = 100

export function ContactLeads({ contact, mayDecide }: { contact: Contact; mayDecide: boolean }) {
  const { leads, total } = contact
  const t = useTranslations('contact.timeline')
  const [shownCount, setShownCount] = useState(INITIAL_COUNT)
  // By the index of the lead: why it belongs to the contact.
  const connections = connectionsOf(leads)
  const anchors = leads.flatMap(({ lead, reason }) => (reason.by === 'anchor' ? [lead] : []))
  const triage = useTriage()
  useCommands({ undo: mayDecide ? () => void triage.undo() : undefined })
  return (
    <section aria-labelledby="timeline">
      <SectionHeading id="timeline" text={t('title')} count={total} />
      {mayDecide && <HandleAll leads={leadsOfOnePerson(contact, anchors)} />}
      <ol className="ml-1.75 border-l-2 border-line">
        {leads.slice(0, shownCount).map((contactLead, index) => (
          <LeadEntry
            key={contactLead.kind + contactLead.lead.id}
            contactLead={contactLead}
            connection={connections[index] ?? null}
          />
        ))}
      </ol>
      {leads.length > shownCount && (
        <Button
          text={t('showMore', { count: leads.length - shownCount })}
          size="sm"
          className="mt-1"
          onClick={() => setShownCount(shownCount + MORE_COUNT)}
        />
      )}
      {leads.length <= shownCount && leads.length < total && (
        <p className="mt-2 text-xs text-mute">{t('truncated', { shown: leads.length, total })}</p>
      )}
    </section>
  )
}

type LeadEntryProps = { contactLead: ContactLead; connection: Connection | null }

function LeadEntry({ contactLead: { kind, lead }, connection }: LeadEntryProps) {
  const ref = { kind, id: lead.id }
  return (
    <TimelineEntry kind={kind} lead={lead} connection={connection} name={nameOf(lead)}>
      <div className="mt-2 max-w-150">
        <NoteList lead={ref} {...useNotes(ref)} />
      </div>
    </TimelineEntry>
  )
}

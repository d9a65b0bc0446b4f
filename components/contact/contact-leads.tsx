import { NotebookPen, UserRoundPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCommands } from '@/components/desk/commands'
import { lazyDialog } from '@/components/desk/lazy-part'
import { useNotes } from '@/components/notes/history'
import { NoteComposer } from '@/components/notes/note-composer'
import { NoteList } from '@/components/notes/notes'
import { StatusMenu } from '@/components/triage/status-menu'
import { useTriage } from '@/components/triage/use-triage'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { SectionHeading } from '@/components/ui/headings'
import type { Contact, ContactLead } from '@/lib/contract/lead'
import { nameOf } from '@/lib/inbox/lead-text'
import type { TriageDecision } from '@/lib/inbox/undo-steps'
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
            mayDecide={mayDecide}
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

type LeadEntryProps = { contactLead: ContactLead; connection: Connection | null; mayDecide: boolean }

function LeadEntry({ contactLead: { kind, lead }, connection, mayDecide }: LeadEntryProps) {
  const t = useTranslations('contact.notes')
  const [isWriting, setWriting] = useState(false)
  const ref = { kind, id: lead.id }
  return (
    <TimelineEntry kind={kind} lead={lead} connection={connection} name={nameOf(lead)}>
      <div className="mt-2 max-w-150">
        <NoteList lead={ref} {...useNotes(ref)} />
        <div className="flex flex-wrap items-center gap-1.5">
          {mayDecide && <EntryDecisions kind={kind} lead={lead} />}
          {!isWriting && (
            <Button icon={NotebookPen} text={t('label')} variant="ghost" size="sm" onClick={() => setWriting(true)} />
          )}
        </div>
        {isWriting && (
          <div className="mt-2">
            <NoteComposer lead={ref} focusRequests={1} />
          </div>
        )}
      </div>
    </TimelineEntry>
  )
}

const AssignDialog = lazyDialog(async () => (await import('@/components/triage/assign-dialog')).AssignDialog)

function EntryDecisions({ kind, lead }: Pick<ContactLead, 'kind' | 'lead'>) {
  const t = useTranslations('lead')
  const triage = useTriage()
  const [isAssigning, setAssigning] = useState(false)
  const { status, assignee } = lead.triage
  const decide = (decision: TriageDecision) =>
    void triage.change([{ kind, id: lead.id, triage: lead.triage, item: lead, name: nameOf(lead) }], decision)
  return (
    <>
      <StatusMenu status={status} onStatus={(next) => decide({ status: next })} />
      <button
        type="button"
        aria-label={assignee === null ? undefined : t('assignee', { name: assignee.name })}
        onClick={() => setAssigning(true)}
        className={buttonClass({ size: 'sm', className: 'min-w-0' })}
      >
        {assignee === null ? <UserRoundPlus className="size-3.5" /> : <Avatar name={assignee.name} />}
        <span className="max-w-36 truncate">{assignee?.name ?? t('assign')}</span>
      </button>
      {isAssigning && (
        <AssignDialog
          count={1}
          school={lead.highSchoolId}
          assignee={assignee}
          onAssign={(person) => decide({ assignee: person })}
          onClose={() => setAssigning(false)}
        />
      )}
    </>
  )
}

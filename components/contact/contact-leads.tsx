'use client'

import { NotebookPen } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { NoteComposer } from '@/components/notes/note-composer'
import { NoteList } from '@/components/notes/notes'
import { Button } from '@/components/ui/button'
import type { Contact, ContactLead } from '@/lib/contract/contact'
import type { LeadRef } from '@/lib/contract/lead'
import { nameOf } from '@/lib/inbox/lead-text'
import type { Bond } from './bond-between'
import { bondsOf } from './person-of'
import { SectionHeading } from './section-heading'
import { TimelineEntry } from './timeline-entry'

/** Each shown lead asks for its notes, so not all at once. */
const STEP = 20

export function ContactLeads({ contact: { leads, total } }: { contact: Contact }) {
  const t = useTranslations('contact.timeline')
  const [most, setMost] = useState(STEP)
  const bonds = bondsOf(leads)
  return (
    <section aria-labelledby="timeline">
      <SectionHeading id="timeline" level={2} count={total}>
        {t('title')}
      </SectionHeading>
      <ol className="ml-1.75 border-l-2 border-line">
        {leads.slice(0, most).map((found, index) => (
          <Entry key={found.kind + found.lead.id} found={found} bond={bonds[index] ?? null} />
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

function Entry({ found: { kind, lead }, bond }: { found: ContactLead; bond: Bond | null }) {
  return (
    <TimelineEntry kind={kind} lead={lead} bond={bond} name={nameOf(lead)}>
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

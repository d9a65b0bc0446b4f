'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { SectionHeading } from '@/components/contact/section-heading'
import { useIsLive } from '@/components/shell/live'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { notesOf } from '@/lib/api/notes'
import type { LeadRef } from '@/lib/contract/lead'
import { NoteComposer } from './note-composer'
import { NoteEntry } from './note-entry'

const WITHOUT_STREAM_MS = 15_000
/** In case the stream ever forgets one. */
const SAFETY_MS = 120_000

/** What colleagues have written about a lead, oldest first, and the place to write. */
export function Notes({ lead }: { lead: LeadRef }) {
  const t = useTranslations('contact.notes')
  const id = `notes-${lead.kind}-${lead.id}`
  return (
    <section aria-labelledby={id} className="mt-6">
      <SectionHeading id={id}>{t('title')}</SectionHeading>
      <NoteList lead={lead} />
      <NoteComposer key={lead.id} lead={lead} />
    </section>
  )
}

/** Also without the composer: under each lead of a contact. */
export function NoteList({ lead, isQuiet = false }: { lead: LeadRef; isQuiet?: boolean }) {
  const t = useTranslations('contact.notes')
  const common = useTranslations('common')
  const isLive = useIsLive()
  const { data, isError, refetch } = useQuery({
    ...notesOf(lead),
    refetchInterval: isLive ? SAFETY_MS : WITHOUT_STREAM_MS,
  })
  if (data === undefined) {
    if (!isError) return isQuiet ? null : <Skeleton className="mb-3 h-5 w-48" />
    return (
      <p role="alert" className="mb-3 flex flex-wrap items-center gap-3 text-sm text-mute">
        {t('failed')}
        <Button size="sm" onClick={() => void refetch()}>
          {common('tryAgain')}
        </Button>
      </p>
    )
  }
  if (data.notes.length === 0) return null
  return (
    <ul aria-live="polite" className="mb-3 flex flex-col gap-2">
      {data.notes.map((note) => (
        <NoteEntry key={note.id} lead={lead} note={note} />
      ))}
    </ul>
  )
}

'use client'

import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { useFirstInput } from '@/components/browser/browser-tab'
import { LeadPane } from '@/components/lead/lead-pane'
import { loadTriage } from '@/components/triage/use-triage'
import type { LeadList } from '@/lib/contract/lead'
import { isQuestion, nameOf, openingOf } from '@/lib/inbox/lead-text'
import type { Cursor } from './cursor'
import { ListPane } from './list-pane'
import type { ListRows } from './list-rows'
import { useInbox } from './use-inbox'

const InboxDialogs = lazy(async () => ({ default: (await import('./inbox-dialogs')).InboxDialogs }))

/** One of the two lists with the lead that is open: two panes on a desk, one at a time on a phone. */
export function Inbox({ list }: { list: LeadList }) {
  const inbox = useInbox(list)
  useFirstInput(loadAhead)
  const { cursor, decide, setDialog, description } = inbox
  return (
    <div className="grid h-full min-h-0 grid-cols-1 grid-rows-[minmax(0,1fr)] desk:grid-cols-[minmax(22rem,27.5rem)_minmax(0,1fr)]">
      <ListPane inbox={inbox} />
      <LeadPane
        description={description}
        id={inbox.openId}
        listed={cursor.openItem}
        onPrevious={cursor.hasPrevious ? () => cursor.move(-1) : undefined}
        onNext={cursor.hasNext ? () => cursor.move(1) : undefined}
        onClose={inbox.close}
        onStatus={(item, status) => decide.aboutOne(item, { status })}
        onAssign={({ id, triage }) => setDialog({ is: 'assign', leads: [{ kind: description.kind, id, triage }] })}
      />
      <CursorAnnouncer cursor={cursor} rows={inbox.rows} isOpen={inbox.openId !== null} />
      {inbox.dialog !== null && (
        <Suspense>
          <InboxDialogs inbox={inbox} />
        </Suspense>
      )}
    </div>
  )
}

/**
 * Says which lead has come up: "3 of 1 204, Åsa Öberg, New". In the list itself the focus says it, so this speaks only while
 * a lead is open and the focus is there.
 */
function CursorAnnouncer({ cursor, rows, isOpen }: { cursor: Cursor; rows: ListRows; isOpen: boolean }) {
  const t = useTranslations('inbox')
  const status = useTranslations('common.status')
  const item = isOpen ? cursor.openItem : undefined
  return (
    <output className="sr-only">
      {item !== undefined &&
        t('at', {
          place: cursor.index + 1,
          count: rows.count,
          name: (isQuestion(item) ? openingOf(item.question) : nameOf(item)) ?? t('nameMissing'),
          status: status(item.triage.status),
        })}
    </output>
  )
}

/** Fetches what opens on a press before the press: a person's first movement or key is the sign that one will come. */
function loadAhead(): void {
  const parts = [
    loadTriage,
    () => import('./bulk-bar'),
    () => import('./list-failure'),
    () => import('@/lib/inbox/match-ranges'),
    () => import('./filter-choices'),
    () => import('./inbox-dialogs'),
    () => import('@/components/triage/assign-dialog'),
  ]
  // Whatever cannot be fetched now is fetched when it is wanted.
  for (const load of parts) load().catch(() => {})
}

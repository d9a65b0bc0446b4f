'use client'

import { lazy, Suspense } from 'react'
import { LeadPane } from '@/components/lead/lead-pane'
import { useFirstSign } from '@/components/shell/use-first-sign'
import type { LeadList } from '@/lib/contract/lead'
import { CursorVoice } from './cursor-voice'
import { loadAhead } from './load-ahead'
import { ListPane } from './list-pane'
import { useInbox } from './use-inbox'

const InboxDialogs = lazy(async () => ({ default: (await import('./inbox-dialogs')).InboxDialogs }))

/** One of the two lists with the lead that is open: two panes on a desk, one at a time on a phone. */
export function Inbox({ list }: { list: LeadList }) {
  const inbox = useInbox(list)
  useFirstSign(loadAhead)
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
        onStatus={(item, status) => decide.one(item, { status })}
        onAssign={({ id, triage }) => setDialog({ is: 'assign', leads: [{ kind: description.kind, id, triage }] })}
      />
      <CursorVoice cursor={cursor} rows={inbox.rows} isOpen={inbox.openId !== null} />
      {inbox.dialog !== null && (
        <Suspense>
          <InboxDialogs inbox={inbox} />
        </Suspense>
      )}
    </div>
  )
}

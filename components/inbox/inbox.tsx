'use client'

import { LeadPane } from '@/components/lead/lead-pane'
import type { LeadList } from '@/lib/contract/lead'
import { ListPane } from './list-pane'
import { useInbox } from './use-inbox'

/** One of the two lists with the lead that is open: two panes on a desk, one at a time on a phone. */
export function Inbox({ list }: { list: LeadList }) {
  const inbox = useInbox(list)
  const { cursor } = inbox
  return (
    <div className="grid h-full min-h-0 grid-cols-1 grid-rows-[minmax(0,1fr)] desk:grid-cols-[minmax(22rem,27.5rem)_minmax(0,1fr)]">
      <ListPane inbox={inbox} />
      <LeadPane
        description={inbox.description}
        id={inbox.openId}
        listed={cursor.openItem}
        onPrevious={cursor.hasPrevious ? () => cursor.move(-1) : undefined}
        onNext={cursor.hasNext ? () => cursor.move(1) : undefined}
        onClose={inbox.close}
      />
    </div>
  )
}

'use client'

import { useIdleLoading } from '@/components/browser/idle-loading'
import { optionalPart } from '@/components/browser/lazy-code'
import { lazyDialog, lazyPart } from '@/components/desk/lazy-part'
import { PartBoundary } from '@/components/desk/part-failure'
import { LeadPane, loadWriting, OpenLead } from '@/components/lead/lead-pane'
import { triageCode } from '@/components/triage/use-triage'
import type { Place } from '@/lib/api/leads'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { refOf } from '@/lib/leads/lead-key'
import { FilterChips, FilterPanel } from './filter-bar'
import { foundCode } from './lead-row'
import { BulkBar, ListPane, NoRows } from './list-pane'
import { useInbox } from './use-inbox'
import { NO_LEAD, severalCode } from './use-list-state'

const MarkedSummary = lazyPart(async () => (await import('./bulk-bar')).MarkedSummary)
const CursorWords = optionalPart(async () => (await import('./no-rows')).CursorWords)
const dialogsCode = () => import('./inbox-dialogs')
const InboxDialogs = lazyDialog(async () => (await dialogsCode()).InboxDialogs)
const loadDialogs = async () => (await dialogsCode()).loadDialogs()

export function Inbox({ place }: { place: Place }) {
  const inbox = useInbox(place)
  useIdleLoading(AHEAD)
  const { cursor, decide, setDialog, openId } = inbox
  const { kind, id } = refOf(openId ?? NO_LEAD)
  return (
    <div className="inbox-panes">
      <PartBoundary>
        <ListPane inbox={inbox} />
      </PartBoundary>
      <LeadPane
        description={LISTS_BY_KIND[kind]}
        id={openId && id}
        listed={cursor.openItem}
        onPrevious={cursor.hasPrevious ? () => cursor.move(-1) : undefined}
        onNext={cursor.hasNext ? () => cursor.move(1) : undefined}
        onClose={inbox.close}
        onStatus={(item, status) => decide.aboutOne(item, { status })}
        onTake={(item) => decide.aboutOne(item, decide.taken)}
        onAssign={(item) => setDialog({ is: 'assign', leads: [decide.leadOf(item)] })}
        onPutAside={(item) => setDialog({ is: 'put-aside', ...decide.putAside(item) })}
        onBack={(item) => decide.aboutOne(item, { snoozeUntil: null })}
        onNoted={decide.noted}
        onLeave={decide.leave}
        onGoBack={decide.goBack}
        apart={cursor.subject.apart}
        instead={inbox.marked.isAny && <MarkedSummary inbox={inbox} />}
      />
      <output className="sr-only">
        {cursor.openItem !== undefined && <CursorWords inbox={inbox} item={cursor.openItem} />}
      </output>
      {inbox.dialog !== null && <InboxDialogs inbox={inbox} onClose={() => setDialog(null)} />}
    </div>
  )
}

const AHEAD = {
  // What says that the network is gone must be here before that.
  soon: [triageCode.want, OpenLead.load, NoRows.load],
  later: [
    loadWriting,
    foundCode.want,
    BulkBar.load,
    severalCode.want,
    MarkedSummary.load,
    InboxDialogs.load,
    loadDialogs,
    FilterPanel.load,
    FilterChips.load,
  ],
}

'use client'

import { useTranslations } from 'next-intl'
import { useIdleLoading } from '@/components/browser/idle-loading'
import { lazyDialog, lazyPart } from '@/components/desk/lazy-part'
import { PartBoundary } from '@/components/desk/part-failure'
import { LeadPane, loadWriting, OpenLead } from '@/components/lead/lead-pane'
import { triageCode } from '@/components/triage/use-triage'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { isQuestion, nameOf, openingOf } from '@/lib/inbox/lead-text'
import { FilterChips, FilterPanel } from './filter-bar'
import { foundCode } from './lead-row'
import { BulkBar, ListPane, NoRows } from './list-pane'
import type { ListRows } from './list-rows'
import { useInbox } from './use-inbox'
import type { Cursor } from './use-list-state'

const MarkedSummary = lazyPart(async () => (await import('./bulk-bar')).MarkedSummary)
const dialogsCode = () => import('./inbox-dialogs')
const InboxDialogs = lazyDialog(async () => (await dialogsCode()).InboxDialogs)
const loadDialogs = async () => (await dialogsCode()).loadDialogs()

export function Inbox({ list }: { list: LeadList }) {
  const inbox = useInbox(list)
  useIdleLoading(AHEAD)
  const { cursor, decide, setDialog, description } = inbox
  return (
    <div className="inbox-panes">
      <PartBoundary>
        <ListPane inbox={inbox} />
      </PartBoundary>
      <LeadPane
        description={description}
        id={inbox.openId}
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
      <CursorAnnouncer cursor={cursor} rows={inbox.rows} isOpen={inbox.openId !== null} />
      {inbox.dialog !== null && <InboxDialogs inbox={inbox} onClose={() => setDialog(null)} />}
    </div>
  )
}

/** Says which lead has come up: "3 of 1 204, Åsa Öberg, New". With no lead open, the focus in the list says it. */
function CursorAnnouncer({ cursor, rows, isOpen }: { cursor: Cursor; rows: ListRows; isOpen: boolean }) {
  const t = useTranslations('inbox')
  const status = useTranslations('common.status')
  const say = (item: LeadItem) => {
    const known = isQuestion(item) ? openingOf(item.question) : nameOf(item)
    const name = known || t(item.protected ? 'protected' : 'nameMissing')
    return t('at', { place: cursor.index + 1, count: rows.count, name, status: status(item.triage.status) })
  }
  return <output className="sr-only">{isOpen && cursor.openItem !== undefined && say(cursor.openItem)}</output>
}

const AHEAD = {
  // What says that the network is gone must be here before that.
  soon: [triageCode.want, OpenLead.load, NoRows.load],
  later: [
    loadWriting,
    foundCode.want,
    BulkBar.load,
    MarkedSummary.load,
    InboxDialogs.load,
    loadDialogs,
    FilterPanel.load,
    FilterChips.load,
  ],
}

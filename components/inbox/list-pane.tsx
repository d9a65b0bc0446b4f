import { useIsOnline } from '@/components/browser/browser-tab'
import { optionalPart } from '@/components/browser/lazy-code'
import { useStatus } from '@/components/desk/feed-status'
import { lazyPart } from '@/components/desk/lazy-part'
import { listsOf } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import { LeadRows, LoadingRows } from './lead-rows'
import { ListHeader } from './list-header'
import type { InboxState } from './use-inbox'

type Props = { inbox: InboxState }

export const BulkBar = lazyPart(async () => (await import('./bulk-bar')).BulkBar)
export const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />)
const LeftOut = optionalPart(async () => (await import('./no-rows')).LeftOut)

export function ListPane({ inbox }: Props) {
  const { openId, marked, view } = inbox
  return (
    <section data-covered={openId !== null} className="list-pane">
      <ListHeader inbox={inbox} />
      <div className="relative flex min-h-0 flex-1 flex-col low:flex-none" {...view.held}>
        <Rows inbox={inbox} />
      </div>
      <Stale inbox={inbox} />
      {isPartial(inbox) && <LeftOut inbox={inbox} />}
      {marked.isMarking && <BulkBar inbox={inbox} />}
    </section>
  )
}

/** Whether the list leaves out anything by itself. */
function isPartial({ counts }: InboxState): boolean {
  const hidden = counts?.hidden
  return hidden !== undefined && hidden.earlier + hidden.snoozed > 0
}

const StaleBanner = lazyPart(async () => (await import('./no-rows')).StaleBanner)

function Stale({ inbox }: Props) {
  const { place, rows } = inbox
  // A fault changes no lead, so the list is not read again for it; the status is.
  const { data: status } = useStatus()
  const isOnline = useIsOnline()
  if (rows.data === undefined) return null
  const all = listsOf(place).flatMap((list) => status?.lists[list] ?? [])
  const known = all.find((one) => one.stale || one.problem !== null) ?? all[0] ?? rows.data.snapshot
  const isCutOff = !isOnline || rows.error !== null
  return (known.stale || known.problem !== null || isCutOff) && <StaleBanner known={known} isCutOff={isCutOff} />
}

function Rows({ inbox }: Props) {
  const { rows } = inbox
  if (rows.count > 0) return <LeadRows inbox={inbox} />
  if (rows.data !== undefined) return <NoRows inbox={inbox} failure={null} />
  return rows.error instanceof ApiError ? <NoRows inbox={inbox} failure={rows.error.kind} /> : <LoadingRows />
}

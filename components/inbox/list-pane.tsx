import { ArrowUp, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useIsOnline } from '@/components/browser/browser-tab'
import { useDayAndTime } from '@/components/browser/clock'
import { optionalPart } from '@/components/browser/lazy-code'
import { useStatus, wordOfProblem } from '@/components/desk/feed-status'
import { lazyPart } from '@/components/desk/lazy-part'
import { ApiError } from '@/lib/api/send'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { LeadRows, LoadingRows } from './lead-rows'
import { ListHeader } from './list-header'
import type { InboxState } from './use-inbox'

type Props = { inbox: InboxState }

export const BulkBar = lazyPart(async () => (await import('./bulk-bar')).BulkBar)
export const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />)
const LeftOut = optionalPart(async () => (await import('./no-rows')).LeftOut)

export function ListPane({ inbox }: Props) {
  const { openId, rows, marked, view } = inbox
  return (
    <section
      data-covered={openId !== null}
      className="flex min-h-0 min-w-0 flex-col bg-panel data-[covered=true]:invisible desk:visible! desk:border-r desk:border-line low:desk:overflow-y-auto"
    >
      <ListHeader inbox={inbox} />
      {rows.data !== undefined && <StaleBanner inbox={inbox} snapshot={rows.data.snapshot} />}
      <div
        className="relative flex min-h-0 flex-1 flex-col low:flex-none"
        onPointerEnter={(event) => view.setPointed(event.pointerType === 'mouse')}
        onPointerLeave={() => view.setPointed(false)}
      >
        <WaitingBar inbox={inbox} />
        <Rows inbox={inbox} />
      </div>
      {isPartial(inbox) && <LeftOut inbox={inbox} />}
      {marked.isMarking && <BulkBar inbox={inbox} />}
    </section>
  )
}

/** Whether the list leaves out anything by itself, is set not to, or may be one half of a queue. */
function isPartial({ filters: { params, isFiltered }, counts }: InboxState): boolean {
  const hidden = counts?.hidden
  return (
    (hidden !== undefined && hidden.earlier + hidden.snoozed > 0) ||
    isFiltered ||
    params.earlier === 'all' ||
    params.snoozed === 'all'
  )
}

function StaleBanner({ inbox: { description, rows }, snapshot }: Props & { snapshot: SnapshotInfo }) {
  const t = useTranslations('inbox')
  const moment = useDayAndTime()
  // A fault changes no lead, so the list is not read again for it; the status is.
  const { data: status } = useStatus()
  const { stale, problem, fetchedAt } = status?.lists[description.list] ?? snapshot
  const isCutOff = !useIsOnline() || rows.error !== null
  if (!stale && problem === null && !isCutOff) return null
  const when = moment(fetchedAt)
  return (
    <output className="edge flex gap-2.5 border-b border-line-soft bg-warn py-2.5 text-sm text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span suppressHydrationWarning>
        {isCutOff ? t('notLive') : t(`problem.${problem === null ? 'stale' : wordOfProblem(problem)}`, { when })}
        {problem !== null &&
          !problem.isHeldBack &&
          !isCutOff &&
          ` ${t('problem.since', { since: moment(problem.since) })}`}
      </span>
    </output>
  )
}

function WaitingBar({ inbox }: Props) {
  const t = useTranslations('inbox')
  const { rows, showWaiting } = inbox
  const bar = useRef<HTMLDivElement>(null)
  useUnmovedRows(inbox, bar)
  return (
    <div ref={bar} aria-live="polite" className="shrink-0 not-empty:border-b not-empty:border-line-soft">
      {rows.waiting > 0 && (
        <button
          type="button"
          title={t('freshHint')}
          onClick={showWaiting}
          className="tabular edge flex h-9 w-full items-center justify-center gap-1.5 bg-fill text-sm font-medium hover:bg-hover focus-visible:-outline-offset-2 touch:h-11"
        >
          <ArrowUp aria-hidden className="size-3.5" />
          {t('fresh', { count: rows.waiting })}
        </button>
      )}
    </div>
  )
}

/** The bar comes and goes above the rows; while the person reads or points, they stay where they are on screen. */
function useUnmovedRows({ rows, scroller, view }: InboxState, bar: RefObject<HTMLElement | null>): void {
  const height = useRef(0)
  const isThere = rows.waiting > 0
  useLayoutEffect(() => {
    const grown = (isThere ? (bar.current?.offsetHeight ?? 0) : 0) - height.current
    height.current += grown
    const list = scroller.current
    if (list === null || grown === 0) return
    if (list.scrollTop > 0 || view.isPointed) list.scrollBy(0, grown)
    const row = list.querySelector('[data-cursor=true]')?.getBoundingClientRect()
    const below = row === undefined ? 0 : row.bottom - list.getBoundingClientRect().bottom
    if (below > 0 && below <= grown + 1) list.scrollBy(0, below)
  }, [isThere, bar, scroller, view.isPointed])
}

function Rows({ inbox }: Props) {
  const { rows } = inbox
  if (rows.count > 0) return <LeadRows inbox={inbox} />
  if (rows.data !== undefined && rows.waiting === 0) return <NoRows inbox={inbox} failure={null} />
  return rows.error instanceof ApiError ? <NoRows inbox={inbox} failure={rows.error.kind} /> : <LoadingRows />
}

import { ArrowUp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { createElement, type RefObject, useLayoutEffect, useRef } from 'react'
import { useIsOnline } from '@/components/browser/browser-tab'
import { lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import { lazyPart } from '@/components/desk/lazy-part'
import { LeadRows } from './lead-rows'
import { ListHeader } from './list-header'
import { ListPlaceholder } from './list-placeholder'
import { StaleBanner } from './stale-banner'
import type { InboxState } from './use-inbox'

export const BulkBar = lazyPart(async () => (await import('./bulk-bar')).BulkBar)

/** The list: its header with the filters, then the rows or what stands in their place. */
export function ListPane({ inbox }: { inbox: InboxState }) {
  const { description, openId, rows, marked } = inbox
  const { data, error } = rows
  const isCutOff = !useIsOnline() || error !== null
  return (
    <section
      data-covered={openId !== null}
      className="flex min-h-0 min-w-0 flex-col bg-panel data-[covered=true]:invisible desk:visible! desk:border-r desk:border-line low:desk:overflow-y-auto"
    >
      <ListHeader inbox={inbox} />
      {data !== undefined && <StaleBanner list={description.list} snapshot={data.snapshot} isCutOff={isCutOff} />}
      <div
        className="relative flex min-h-0 flex-1 flex-col low:flex-none"
        onPointerEnter={(event) => inbox.view.setPointed(event.pointerType === 'mouse')}
        onPointerLeave={() => inbox.view.setPointed(false)}
      >
        <WaitingBar inbox={inbox} />
        <Rows inbox={inbox} />
      </div>
      <WhatIsLeftOut inbox={inbox} />
      {marked.isMarking && <BulkBar inbox={inbox} />}
    </section>
  )
}

/** Where its code cannot be had, the list is there all the same. */
function WhatIsLeftOut({ inbox }: { inbox: InboxState }) {
  const isWanted = isPartial(inbox)
  const leftOut = useLazyCode(leftOutCode, isWanted)
  if (!isWanted || leftOut === undefined) return null
  return createElement(leftOut, { filters: inbox.filters, hidden: inbox.counts?.hidden ?? NONE_HIDDEN })
}

const leftOutCode = lazyCode(async () => (await import('./left-out')).LeftOut)
const NONE_HIDDEN = { earlier: 0, snoozed: 0 }

/** Whether the list leaves out anything by itself, was told not to, or may be one half of a queue. */
function isPartial({ filters, counts }: InboxState): boolean {
  const { earlier, snoozed } = counts?.hidden ?? NONE_HIDDEN
  return (
    earlier + snoozed > 0 || filters.isFiltered || filters.params.earlier === 'all' || filters.params.snoozed === 'all'
  )
}

/** The leads that came while the person was reading, waiting to be shown. It has its own place above the rows. */
function WaitingBar({ inbox }: { inbox: InboxState }) {
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

/** The bar comes and goes above the rows; where somebody reads or points, they stay where they are on screen. */
function useUnmovedRows({ rows, scroller, view }: InboxState, bar: RefObject<HTMLElement | null>): void {
  const height = useRef(0)
  const isThere = rows.waiting > 0
  useLayoutEffect(() => {
    const grown = (isThere ? (bar.current?.offsetHeight ?? 0) : 0) - height.current
    height.current += grown
    const list = scroller.current
    if (list === null || grown === 0) return
    if (list.scrollTop > 0 || view.isPointed) list.scrollBy(0, grown)
    // But for the row that the keys are at: it must not disappear below.
    const row = list.querySelector('[data-cursor=true]')?.getBoundingClientRect()
    const below = row === undefined ? 0 : row.bottom - list.getBoundingClientRect().bottom
    if (below > 0 && below <= grown + 1) list.scrollBy(0, below)
  }, [isThere, bar, scroller, view.isPointed])
}

/** The rows, or what stands in their place. */
function Rows({ inbox }: { inbox: InboxState }) {
  const { description, filters, rows, counts } = inbox
  if (rows.count > 0) return <LeadRows inbox={inbox} />
  return (
    <ListPlaceholder
      list={description.list}
      error={rows.error}
      isEmpty={rows.data !== undefined && rows.waiting === 0}
      isFiltered={filters.isFiltered}
      earlier={counts?.hidden.earlier ?? 0}
      onEarlier={() => filters.set({ earlier: 'all' })}
      onRetry={rows.refetch}
      onClear={filters.clear}
    />
  )
}

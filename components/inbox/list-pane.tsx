'use client'

import { lazy, Suspense } from 'react'
import { useIsOnline } from '@/components/shell/use-is-online'
import { FreshButton } from './fresh-button'
import { LeadRows } from './lead-rows'
import { ListHeader } from './list-header'
import { ListState } from './list-state'
import { StaleBanner } from './stale-banner'
import type { InboxState } from './use-inbox'

const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar')).BulkBar }))

/** The list: its header with the filters, then the rows or what stands in their place. */
export function ListPane({ inbox }: { inbox: InboxState }) {
  const { description, openId, rows, marked } = inbox
  const { data, error } = rows
  const isCutOff = !useIsOnline() || error !== null
  return (
    <section
      data-covered={openId !== null}
      className="flex min-h-0 min-w-0 flex-col bg-panel data-[covered=true]:invisible desk:visible! desk:border-r desk:border-line"
    >
      <ListHeader inbox={inbox} />
      {data !== undefined && <StaleBanner list={description.list} snapshot={data.snapshot} isCutOff={isCutOff} />}
      <div
        className="relative flex min-h-0 flex-1 flex-col"
        onPointerEnter={(event) => inbox.view.setPointed(event.pointerType === 'mouse')}
        onPointerLeave={() => inbox.view.setPointed(false)}
      >
        <FreshButton count={rows.held} onShow={inbox.letIn} />
        <Rows inbox={inbox} />
      </div>
      {marked.isMarking && (
        <Suspense>
          <BulkBar inbox={inbox} />
        </Suspense>
      )}
    </section>
  )
}

function Rows({ inbox }: { inbox: InboxState }) {
  const { description, filters, rows, cursor, marked, decide } = inbox
  if (rows.count === 0) {
    const isEmpty = rows.data !== undefined && rows.held === 0
    return (
      <ListState
        list={description.list}
        error={rows.error}
        isEmpty={isEmpty}
        isFiltered={filters.isFiltered}
        onRetry={rows.refetch}
        onClear={filters.clear}
      />
    )
  }
  return (
    <LeadRows
      list={description.list}
      listKey={inbox.listKey}
      rows={rows}
      fresh={inbox.fresh}
      search={filters.query.q ?? ''}
      cursor={cursor.index}
      cursorId={cursor.id}
      openId={inbox.openId}
      isMarked={marked.has}
      isMarking={marked.isMarking}
      gestures={{
        onSwipe: (index, to) => {
          const item = rows.rowAt(index)
          if (item !== undefined) decide.one(item, { status: to === 'right' ? 'handled' : 'in-progress' }, false)
        },
        onHold: (index) => {
          const item = rows.rowAt(index)
          if (item !== undefined) marked.mark(item.id, index, false)
        },
      }}
      scroller={inbox.scroller}
      onOpen={cursor.openAt}
      onMark={inbox.onMark}
      onOffsets={inbox.view.setOffsets}
      onScrolled={inbox.view.setScrolled}
    />
  )
}

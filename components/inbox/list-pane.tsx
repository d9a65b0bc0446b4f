'use client'

import { FreshButton } from './fresh-button'
import { LeadRows } from './lead-rows'
import { ListHeader } from './list-header'
import { ListState } from './list-state'
import { StaleBanner } from './stale-banner'
import type { InboxState } from './use-inbox'

/** The list: its header with the filters, then the rows or what stands in their place. */
export function ListPane({ inbox }: { inbox: InboxState }) {
  const { description, filters, rows, cursor, openId } = inbox
  const { data, error } = rows
  return (
    <section
      data-covered={openId !== null}
      className="flex min-h-0 min-w-0 flex-col bg-panel data-[covered=true]:invisible desk:visible! desk:border-r desk:border-line"
    >
      <ListHeader
        description={description}
        filters={filters}
        total={rows.isPassing ? undefined : data?.total}
        searchField={inbox.searchField}
        onLeaveSearch={inbox.focusList}
      />
      {data !== undefined && <StaleBanner list={description.list} snapshot={data.snapshot} isCutOff={error !== null} />}
      <div
        className="relative flex min-h-0 flex-1 flex-col"
        onPointerEnter={(event) => inbox.setPointed(event.pointerType === 'mouse')}
        onPointerLeave={() => inbox.setPointed(false)}
      >
        <FreshButton count={rows.held} onShow={inbox.letIn} />
        {rows.count > 0 ? (
          <LeadRows
            list={description.list}
            listKey={inbox.listKey}
            rows={rows}
            search={filters.query.q ?? ''}
            cursor={cursor.index}
            cursorId={cursor.id}
            openId={openId}
            scroller={inbox.scroller}
            onOpen={cursor.openAt}
            onOffsets={inbox.setOffsets}
            onScrolled={inbox.setScrolled}
          />
        ) : (
          <ListState
            list={description.list}
            error={error}
            isEmpty={data !== undefined && rows.held === 0}
            isFiltered={filters.isFiltered}
            onRetry={rows.refetch}
            onClear={filters.clear}
          />
        )}
      </div>
    </section>
  )
}

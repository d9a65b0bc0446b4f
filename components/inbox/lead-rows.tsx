import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useState } from 'react'
import { useStartOfToday } from '@/components/app/clock'
import { useSchoolNames } from '@/components/app/schools'
import { isQueue, type LeadItem } from '@/lib/api/leads'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { HEADING_HEIGHT, computeHeight, type RowLayout, findRowTop } from '@/lib/inbox/row-layout'
import { isBackdated, selectLayout } from './inbox-state'
import { LeadRow, type RowSettings } from './lead-row'
import { SkeletonRow } from './loading-rows'
import { useRowScrolling } from './row-scrolling'
import { type InboxContextValue, useInbox } from './use-inbox'

export function LeadRows() {
  const inbox = useInbox()
  const { rows, marks, actions } = inbox
  const { scroller } = actions
  const { row: cursorIndex, openKey } = inbox.cursor
  const layout = selectLayout(inbox)
  const { first, last } = useRowScrolling(layout)
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset)
  // The cursor's row is always rendered, because `aria-activedescendant` refers to it.
  if (cursorIndex >= 0 && cursorIndex < first) indexes.unshift(cursorIndex)
  if (cursorIndex > last && cursorIndex < rows.count) indexes.push(cursorIndex)
  const settings = useRowSettings(inbox)
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-multiselectable
      aria-labelledby="list-title"
      // A row whose page is being loaded has no name yet.
      aria-activedescendant={rows.rowAt(cursorIndex) && `row-${cursorIndex}`}
      aria-busy={rows.isOfPreviousQuery}
      // The cursor's row shows the focus, and may have been scrolled away.
      onFocus={({ currentTarget: list }) => {
        if (list.matches(':focus-visible')) actions.scrollToCursor()
      }}
      data-marking={marks.isMarking}
      className="lead-list group/list scroll-thin"
    >
      <div
        role="presentation"
        data-previous={rows.isOfPreviousQuery}
        className="relative -z-1 w-full transition-opacity data-[previous=true]:opacity-50 data-[previous=true]:delay-120"
        style={{ height: `${computeHeight(layout)}rem` }}
      >
        <RowHeadings layout={layout} />
        {indexes.map((index) => {
          const item = rows.rowAt(index)
          return (
            <div
              key={index}
              role="presentation"
              data-at-cursor={index === cursorIndex || undefined}
              className="row-place"
              style={{ height: `${layout.rowHeight}rem`, transform: `translateY(${findRowTop(index, layout)}rem)` }}
            >
              {item === undefined ? (
                <SkeletonRow />
              ) : (
                <LeadRow
                  item={item}
                  index={index}
                  settings={settings}
                  isCursor={index === cursorIndex}
                  isOpen={toLeadKey(item) === openKey}
                  isBackdated={isBackdated(item, index, layout)}
                  isMarked={marks.isAll || marks.keys.has(toLeadKey(item))}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function useRowSettings({ listOrQueue, rows, filters, marks, actions }: InboxContextValue): RowSettings {
  const schools = useSchoolNames()
  const todayMs = useStartOfToday()
  const highlight = useHighlighter(filters.query.q ?? '')
  const { openRow: onOpen, mark: onMark } = actions
  const { count: rowCount } = rows
  const { isMarking } = marks
  const cohort = rows.data?.cohort ?? null
  return useMemo(
    () => ({ rowCount, isQueue: isQueue(listOrQueue), schools, highlight, todayMs, cohort, isMarking, onOpen, onMark }),
    [rowCount, listOrQueue, schools, highlight, todayMs, cohort, isMarking, onOpen, onMark],
  )
}

function RowHeadings({ layout }: { layout: RowLayout }) {
  const t = useTranslations('inbox.heading')
  return layout.headings.map(({ kind, row, count }) => (
    <div
      key={kind}
      role="presentation"
      style={{
        height: `${HEADING_HEIGHT}rem`,
        transform: `translateY(${findRowTop(row, layout) - HEADING_HEIGHT}rem)`,
      }}
      className="row-heading edge"
    >
      <span>{t(kind)}</span>
      {count !== undefined && <span className="tabular ml-2 font-normal text-faint">{count}</span>}
    </div>
  ))
}

export const loadHighlighter = () => import('@/lib/inbox/highlighted-lead')

/** Returns null without a search, and until the code is loaded, which rows do not wait for. */
function useHighlighter(search: string) {
  const [code, setCode] = useState<Awaited<ReturnType<typeof loadHighlighter>> | null>(null)
  const isSearch = search !== ''
  useEffect(() => {
    if (isSearch) loadHighlighter().then(setCode, () => {})
  }, [isSearch])
  return useMemo(
    () => (code && isSearch ? (item: LeadItem) => code.highlightLead(item, search) : null),
    [code, isSearch, search],
  )
}

'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, type RefObject } from 'react'
import type { LeadList } from '@/lib/contract/lead'
import { headingAbove, HEADING_HEIGHT, heightOf, ROW_HEIGHT, scrollTopFor, topOf } from '@/lib/inbox/row-layout'
import { offsetsOf } from '@/lib/inbox/row-window'
import { LeadRow } from './lead-row'
import { RowHeading } from './row-heading'
import { SkeletonRow } from './skeleton-row'
import type { FreshRows } from './use-fresh-rows'
import { useKeptPlace } from './use-kept-place'
import type { ListRows } from './use-list-rows'
import { type SchoolNames, useSchoolNames } from './use-school-names'
import { useToday } from './use-today'
import { useTouchRows, type RowGestures } from './use-touch-rows'
import { useVisibleRows, type VisibleRows } from './use-visible-rows'

export type LeadRowsProps = {
  list: LeadList
  /** Changes when the list is another one (a filter, an order), which is read from its top. */
  listKey: string
  rows: ListRows
  fresh: FreshRows
  search: string
  cursor: number
  /** The lead that the cursor is on. */
  cursorId: string | null
  openId: string | null
  isMarked: (id: string) => boolean
  /** Something is marked, or is being marked: a tap marks instead of opening. */
  isMarking: boolean
  gestures: RowGestures
  scroller: RefObject<HTMLDivElement | null>
  onOpen: (id: string, index: number) => void
  onMark: (id: string, index: number, isRange: boolean) => void
  onOffsets: (offsets: readonly number[]) => void
  onScrolled: (isScrolled: boolean) => void
}

export function LeadRows(props: LeadRowsProps) {
  const { list, listKey, rows, fresh, cursor, openId, scroller, isMarking } = props
  const t = useTranslations('inbox')
  const schools = useSchoolNames()
  const today = useToday()
  const layout = { count: rows.count, fresh: fresh.count }
  const visible = useVisibleRows(scroller, layout)
  useKeptPlace({ listKey, rows, layout, scroller, isOpen: openId !== null })
  useScrolling(props, visible)
  useTouchRows(scroller, props.gestures)
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-multiselectable
      aria-label={t(`${list}.title`)}
      aria-activedescendant={cursor === -1 ? undefined : `row-${cursor}`}
      data-marking={isMarking}
      className="group/list scroll-thin relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
    >
      <div role="presentation" className="relative w-full" style={{ height: heightOf(layout) }}>
        {indexesOf(visible, cursor, rows.count).map((index) => (
          <RowPlace
            key={index}
            {...props}
            index={index}
            top={topOf(index, layout)}
            heading={headingAbove(index, layout)}
            schools={schools}
            today={today}
          />
        ))}
      </div>
    </div>
  )
}

/** Drawn aside, the row uncovers what letting go will do; stronger once it will. */
const placeClass =
  'absolute inset-x-0 top-0 overflow-hidden before:absolute before:inset-y-0 before:hidden before:items-center before:px-5 before:text-sm before:font-semibold data-[drawn^=right]:bg-status-handled/20 data-[drawn^=right]:before:left-0 data-[drawn^=right]:before:flex data-[drawn^=right]:before:content-[attr(data-right)] data-[drawn=right-far]:bg-status-handled/45 data-[drawn^=left]:bg-status-progress/20 data-[drawn^=left]:before:right-0 data-[drawn^=left]:before:flex data-[drawn^=left]:before:content-[attr(data-left)] data-[drawn=left-far]:bg-status-progress/45'

type RowPlaceProps = LeadRowsProps & {
  index: number
  top: number
  heading: ReturnType<typeof headingAbove>
  schools: SchoolNames
  today: number
}

/** A row in its place, under its heading if it has one. */
function RowPlace({ index, top, heading, schools, today, ...props }: RowPlaceProps) {
  const status = useTranslations('common.status')
  const item = props.rows.rowAt(index)
  return (
    <div role="presentation">
      {heading !== null && (
        <RowHeading is={heading} top={top - HEADING_HEIGHT} since={props.fresh.since} today={today} />
      )}
      <div
        role="presentation"
        data-right={status('handled')}
        data-left={status('in-progress')}
        className={placeClass}
        style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
      >
        {item === undefined ? (
          <SkeletonRow index={index} />
        ) : (
          <LeadRow
            item={item}
            index={index}
            count={props.rows.count}
            school={schools.of(item)}
            search={props.search}
            today={today}
            isCursor={index === props.cursor}
            isOpen={item.id === props.openId}
            isMarked={props.isMarked(item.id)}
            isMarking={props.isMarking}
            onOpen={props.onOpen}
            onMark={props.onMark}
          />
        )}
      </div>
    </div>
  )
}

/** Tells which pages are needed, brings the cursor into sight, and begins another list at its top. */
function useScrolling(props: LeadRowsProps, { first, last, isScrolled }: VisibleRows): void {
  const { listKey, rows, fresh, cursor, cursorId, scroller, onOffsets, onScrolled } = props
  const { count, held } = rows
  const asked = useRef('')
  useEffect(() => {
    const offsets = offsetsOf(first, last, held, count + held)
    if (asked.current === offsets.join()) return
    asked.current = offsets.join()
    onOffsets(offsets)
  }, [first, last, held, count, onOffsets])
  useEffect(() => onScrolled(isScrolled), [isScrolled, onScrolled])
  const shownKey = useRef(listKey)
  useEffect(() => {
    if (shownKey.current === listKey) return
    shownKey.current = listKey
    scroller.current?.scrollTo({ top: 0 })
  }, [listKey, scroller])
  // Only a cursor that went to another lead: one that moves because rows came must not pull the list along.
  const shownId = useRef<string | null>(null)
  useEffect(() => {
    const element = scroller.current
    if (element === null || cursor === -1 || shownId.current === cursorId) return
    shownId.current = cursorId
    const layout = { count, fresh: fresh.count }
    element.scrollTo({ top: scrollTopFor(cursor, element.scrollTop, element.clientHeight, layout) })
  }, [cursor, cursorId, scroller, count, fresh.count])
}

/** The cursor's row is always there, since the focus speaks of it by its id. */
function indexesOf({ first, last }: VisibleRows, cursor: number, count: number): number[] {
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (cursor < 0 || cursor >= count || (cursor >= first && cursor <= last)) return indexes
  return cursor < first ? [cursor, ...indexes] : [...indexes, cursor]
}

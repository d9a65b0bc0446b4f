'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, type RefObject } from 'react'
import type { LeadList } from '@/lib/contract/lead'
import { offsetsOf } from '@/lib/inbox/row-window'
import { scrollTopFor } from '@/lib/inbox/visible-rows'
import { LeadRow, ROW_HEIGHT } from './lead-row'
import { SkeletonRow } from './skeleton-row'
import { useKeptPlace } from './use-kept-place'
import type { ListRows } from './use-list-rows'
import { useSchoolNames } from './use-school-names'
import { useToday } from './use-today'
import { useVisibleRows, type VisibleRows } from './use-visible-rows'

export type LeadRowsProps = {
  list: LeadList
  /** Changes when the list is another one (a filter, an order), which is read from its top. */
  listKey: string
  rows: ListRows
  search: string
  cursor: number
  /** The lead that the cursor is on. */
  cursorId: string | null
  openId: string | null
  scroller: RefObject<HTMLDivElement | null>
  onOpen: (id: string, index: number) => void
  onOffsets: (offsets: readonly number[]) => void
  onScrolled: (isScrolled: boolean) => void
}

export function LeadRows(props: LeadRowsProps) {
  const { list, listKey, rows, search, cursor, openId, scroller, onOpen } = props
  const t = useTranslations('inbox')
  const schools = useSchoolNames()
  const today = useToday()
  const visible = useVisibleRows(scroller, rows.count)
  useKeptPlace({ listKey, rows, scroller, isOpen: openId !== null })
  useScrolling(props, visible)
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label={t(`${list}.title`)}
      aria-activedescendant={cursor === -1 ? undefined : `row-${cursor}`}
      className="scroll-thin relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
    >
      <div role="presentation" className="relative w-full" style={{ height: rows.count * ROW_HEIGHT }}>
        {indexesOf(visible, cursor, rows.count).map((index) => {
          const item = rows.rowAt(index)
          return (
            <div
              key={index}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ height: ROW_HEIGHT, transform: `translateY(${index * ROW_HEIGHT}px)` }}
            >
              {item === undefined ? (
                <SkeletonRow index={index} />
              ) : (
                <LeadRow
                  item={item}
                  index={index}
                  count={rows.count}
                  school={schools.of(item)}
                  search={search}
                  today={today}
                  isCursor={index === cursor}
                  isOpen={item.id === openId}
                  onOpen={onOpen}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Tells which pages are needed, brings the cursor into sight, and begins another list at its top. */
function useScrolling(props: LeadRowsProps, { first, last, isScrolled }: VisibleRows): void {
  const { listKey, rows, cursor, cursorId, scroller, onOffsets, onScrolled } = props
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
    element.scrollTo({ top: scrollTopFor(cursor, element.scrollTop, element.clientHeight, ROW_HEIGHT) })
  }, [cursor, cursorId, scroller])
}

/** The cursor's row is always there, since the focus speaks of it by its id. */
function indexesOf({ first, last }: VisibleRows, cursor: number, count: number): number[] {
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (cursor < 0 || cursor >= count || (cursor >= first && cursor <= last)) return indexes
  return cursor < first ? [cursor, ...indexes] : [...indexes, cursor]
}

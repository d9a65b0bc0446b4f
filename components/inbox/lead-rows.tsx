import { useLocale, useTranslations } from 'next-intl'
import { type CSSProperties, useEffect } from 'react'
import { useToday } from '@/components/browser/clock'
import { lazyCode } from '@/components/browser/lazy-code'
import { type SchoolNames, useSchoolNames } from '@/components/desk/schools'
import { HEADING_HEIGHT, headingAbove, heightOf, ROW_HEIGHTS, type RowLayout, topOf } from '@/lib/inbox/row-layout'
import { sinceTime } from '@/lib/time/format-time'
import { LeadRow } from './lead-row'
import { SkeletonRow } from './list-placeholder'
import { useRowScrolling, type VisibleRows } from './row-scrolling'
import type { RowGestures } from './touch-gestures'
import type { InboxState } from './use-inbox'
import { useStableCallback } from './use-stable-callback'

/** The rows that are in sight, each at its height in a box as high as the whole list. */
export function LeadRows({ inbox }: { inbox: InboxState }) {
  const { description, rows, fresh, cursor, marked, scroller } = inbox
  const t = useTranslations('inbox')
  const swipes = useSwipeWords()
  const schools = useSchoolNames()
  const today = useToday()
  const layout = { count: rows.count, fresh: fresh.count, rowHeight: ROW_HEIGHTS[description.list] }
  const visible = useRowScrolling(inbox, layout)
  useTouchGestures(inbox)
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-multiselectable
      aria-label={t(`${description.list}.title`)}
      // A row whose page is on its way is nobody to speak of yet.
      aria-activedescendant={rows.rowAt(cursor.index) === undefined ? undefined : `row-${cursor.index}`}
      aria-busy={rows.isPrevious}
      data-marking={marked.isMarking}
      className="lead-list group/list scroll-thin"
      style={swipes}
    >
      <div
        role="presentation"
        data-previous={rows.isPrevious}
        className="relative w-full transition-opacity data-[previous=true]:opacity-50 data-[previous=true]:delay-120"
        style={{ height: `${heightOf(layout)}rem` }}
      >
        {indexesOf(visible, cursor.index, rows.count).map((index) => (
          <RowPlace key={index} inbox={inbox} index={index} layout={layout} schools={schools} today={today} />
        ))}
      </div>
    </div>
  )
}

/** The cursor's row is always there, since the focus speaks of it by its id. */
function indexesOf({ first, last }: VisibleRows, cursor: number, count: number): number[] {
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (cursor < 0 || cursor >= count || (cursor >= first && cursor <= last)) return indexes
  return cursor < first ? [cursor, ...indexes] : [...indexes, cursor]
}

type RowPlaceProps = { inbox: InboxState; index: number; layout: RowLayout; schools: SchoolNames; today: number }

/** A row in its place, under its heading if it has one. */
function RowPlace({ inbox, index, layout, schools, today }: RowPlaceProps) {
  const { rows, fresh, cursor, marked } = inbox
  const item = rows.rowAt(index)
  const top = topOf(index, layout)
  const heading = headingAbove(index, layout)
  return (
    <>
      {heading !== null && <RowHeading is={heading} top={top - HEADING_HEIGHT} since={fresh.since} today={today} />}
      <div
        role="presentation"
        className="row-place"
        style={{ height: `${layout.rowHeight}rem`, transform: `translateY(${top}rem)` }}
      >
        {item === undefined ? (
          <SkeletonRow index={index} />
        ) : (
          <LeadRow
            item={item}
            index={index}
            count={rows.count}
            school={schools.of(item)}
            schoolOf={schools.byId}
            search={inbox.filters.query.q ?? ''}
            today={today}
            isCursor={index === cursor.index}
            isOpen={item.id === inbox.openId}
            isMarked={marked.has(item.id)}
            isMarking={marked.isMarking}
            onOpen={cursor.openAt}
            onMark={inbox.onMark}
          />
        )}
      </div>
    </>
  )
}

/** What letting go of a row will do, for the style sheet to write beneath it: once for all rows. */
function useSwipeWords(): CSSProperties {
  const t = useTranslations('lead')
  return { '--swiped-right': JSON.stringify(t('markHandled')), '--swiped-left': JSON.stringify(t('take')) }
}

declare module 'react' {
  interface CSSProperties {
    [own: `--swiped-${string}`]: string
  }
}

type RowHeadingProps = {
  is: 'new' | 'earlier'
  top: number
  /** The end of the last visit, ms. */
  since: number
  today: number
}

/** Parts what came since the last visit from what was there before. */
function RowHeading({ is, top, since, today }: RowHeadingProps) {
  const t = useTranslations('inbox')
  const locale = useLocale()
  return (
    <div
      role="presentation"
      style={{ height: `${HEADING_HEIGHT}rem`, transform: `translateY(${top}rem)` }}
      className="absolute inset-x-0 top-0 edge flex items-end gap-2.5 pb-1 text-2xs font-semibold text-faint after:mb-1.75 after:h-px after:flex-1 after:bg-line-soft"
    >
      <span suppressHydrationWarning>
        {is === 'new' ? t('newSince', { when: sinceTime(since, today, locale) }) : t('earlier')}
      </span>
    </div>
  )
}

/** What fingers do to rows besides tapping: a swipe decides, holding marks. The code is loaded on touch screens only. */
function useTouchGestures({ rows, decide, marked, scroller }: InboxState): void {
  const onSwipe: RowGestures['onSwipe'] = useStableCallback((index: number, to: 'right' | 'left') => {
    const item = rows.rowAt(index)
    if (item !== undefined) decide.aboutOne(item, to === 'right' ? { status: 'handled' } : decide.taken, false)
  })
  const onHold: RowGestures['onHold'] = useStableCallback((index: number) => {
    const item = rows.rowAt(index)
    if (item !== undefined) marked.mark(item.id, index, false)
  })
  useEffect(() => {
    const list = scroller.current
    if (list === null || !window.matchMedia('(any-pointer: coarse)').matches) return
    let detach = () => {}
    const attach = () => {
      detach()
      detach = touchCode.read()?.attachTouch(list, { onSwipe, onHold }) ?? detach
    }
    // Listening without rendering: all rows would be drawn anew for it.
    const forget = touchCode.subscribe(attach)
    attach()
    void touchCode.want()
    return () => {
      forget()
      detach()
    }
  }, [scroller, onSwipe, onHold])
}

const touchCode = lazyCode(() => import('./touch-gestures'))

import { useLocale, useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useToday } from '@/components/browser/clock'
import { type SchoolNames, useSchoolNames } from '@/components/desk/schools'
import { HEADING_HEIGHT, headingAbove, heightOf, ROW_HEIGHT, type RowLayout, topOf } from '@/lib/inbox/row-layout'
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
  const schools = useSchoolNames()
  const today = useToday()
  const layout = { count: rows.count, fresh: fresh.count }
  const visible = useRowScrolling(inbox, layout)
  useTouchGestures(inbox)
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-multiselectable
      aria-label={t(`${description.list}.title`)}
      aria-activedescendant={cursor.index === -1 ? undefined : `row-${cursor.index}`}
      data-marking={marked.isMarking}
      className="group/list scroll-thin relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
    >
      <div role="presentation" className="relative w-full" style={{ height: heightOf(layout) }}>
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

/** Drawn aside, the row uncovers what letting go will do; stronger once it will. */
const placeClass =
  'absolute inset-x-0 top-0 overflow-hidden before:absolute before:inset-y-0 before:hidden before:items-center before:px-5 before:text-sm before:font-semibold data-[drawn^=right]:bg-status-handled/20 data-[drawn^=right]:before:left-0 data-[drawn^=right]:before:flex data-[drawn^=right]:before:content-[attr(data-right)] data-[drawn=right-far]:bg-status-handled/45 data-[drawn^=left]:bg-status-progress/20 data-[drawn^=left]:before:right-0 data-[drawn^=left]:before:flex data-[drawn^=left]:before:content-[attr(data-left)] data-[drawn=left-far]:bg-status-progress/45'

type RowPlaceProps = { inbox: InboxState; index: number; layout: RowLayout; schools: SchoolNames; today: number }

/** A row in its place, under its heading if it has one. */
function RowPlace({ inbox, index, layout, schools, today }: RowPlaceProps) {
  const { rows, fresh, cursor, marked } = inbox
  const status = useTranslations('common.status')
  const item = rows.rowAt(index)
  const top = topOf(index, layout)
  const heading = headingAbove(index, layout)
  return (
    <div role="presentation">
      {heading !== null && <RowHeading is={heading} top={top - HEADING_HEIGHT} since={fresh.since} today={today} />}
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
            count={rows.count}
            school={schools.of(item)}
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
    </div>
  )
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
      style={{ height: HEADING_HEIGHT, transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 flex items-end gap-2.5 px-4 pb-1 text-2xs font-semibold text-faint after:mb-1.75 after:h-px after:flex-1 after:bg-line-soft"
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
    if (item !== undefined) decide.aboutOne(item, { status: to === 'right' ? 'handled' : 'in-progress' }, false)
  })
  const onHold: RowGestures['onHold'] = useStableCallback((index: number) => {
    const item = rows.rowAt(index)
    if (item !== undefined) marked.mark(item.id, index, false)
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null || !window.matchMedia('(any-pointer: coarse)').matches) return
    let isGone = false
    let detach = () => {}
    const attach = async () => {
      const { attachTouch } = await import('./touch-gestures')
      if (!isGone) detach = attachTouch(element, { onSwipe, onHold })
    }
    void attach()
    return () => {
      isGone = true
      detach()
    }
  }, [scroller, onSwipe, onHold])
}

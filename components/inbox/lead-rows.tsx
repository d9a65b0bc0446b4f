import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FocusEvent, useMemo } from 'react'
import { useToday } from '@/components/app/clock'
import { type SchoolNames, useSchoolNames } from '@/components/app/schools'
import { keyOf } from '@/lib/inbox/lead-text'
import { isMarked } from '@/lib/inbox/list-state'
import { HEADING_HEIGHT, headingAbove, heightOf, type RowHeading, type RowRange, topOf } from '@/lib/inbox/row-layout'
import { cursorIn, type InboxState, layoutIn, listKeyIn, marksIn } from './inbox-state'
import { LeadRow, type LeadRowProps } from './lead-row'
import { useRowScrolling } from './row-scrolling'
import { useActs, useInbox } from './use-inbox'

function listIn(state: InboxState) {
  const { queue, rows, filters } = state
  const { ids, isAll, isMarking } = marksIn(state)
  const { id, row, openId } = cursorIn(state)
  const [listKey, search] = [listKeyIn(state), filters.query.q ?? '']
  const isAutomatic = state.list.place?.isAutomatic === true
  return { queue, rows, ids, isAll, isMarking, id, cursor: row, isAutomatic, listKey, openId, search }
}

export function LeadRows() {
  const list = useInbox(listIn)
  const { rows, cursor } = list
  const { headings, ...rest } = useInbox(layoutIn)
  const headingsKey = JSON.stringify(headings)
  // The same array while it says the same, so that scrolling need not begin anew.
  const layout = { ...rest, headings: useMemo((): RowHeading[] => JSON.parse(headingsKey), [headingsKey]) }
  const { scroller } = useActs()
  const schools = useSchoolNames()
  const today = useToday()
  const visible = useRowScrolling(list, layout)
  const { search } = list
  // Without this code the rows are found all the same.
  const { data: code } = useQuery({
    queryKey: ['code', 'found-lead'],
    queryFn: loadFoundLead,
    enabled: search !== '',
    staleTime: Infinity,
    structuralSharing: false,
    refetchInterval: ({ state }) => state.data === undefined && AGAIN_MS,
  })
  const find = code?.foundLead
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-multiselectable
      aria-labelledby="list-title"
      // A row whose page is on its way has no name yet.
      aria-activedescendant={rows.rowAt(cursor) === undefined ? undefined : `row-${cursor}`}
      aria-busy={rows.isPrevious}
      onFocus={showCursor}
      data-marking={list.isMarking}
      className="lead-list group/list scroll-thin"
    >
      <div
        role="presentation"
        data-previous={rows.isPrevious}
        className="relative -z-1 w-full transition-opacity data-[previous=true]:opacity-50 data-[previous=true]:delay-120"
        style={{ height: `${heightOf(layout)}rem` }}
      >
        {indexesOf(visible, cursor, rows.count).map((index) => (
          <RowPlace
            key={index}
            index={index}
            list={{ ...list, find }}
            layout={layout}
            schools={schools}
            today={today}
          />
        ))}
      </div>
    </div>
  )
}

/** The row that shows the focus may have been scrolled away since. */
function showCursor({ currentTarget: list }: FocusEvent): void {
  if (list.matches(':focus-visible')) list.querySelector('[data-cursor=true]')?.scrollIntoView({ block: 'nearest' })
}

/** The cursor's row is always there, since the focus speaks of it by its id. */
function indexesOf({ first, last }: RowRange, cursor: number, count: number): number[] {
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (cursor < 0 || cursor >= count || (cursor >= first && cursor <= last)) return indexes
  return cursor < first ? [cursor, ...indexes] : [...indexes, cursor]
}

type RowPlaceProps = {
  index: number
  list: ReturnType<typeof listIn> & Pick<LeadRowProps, 'find'>
  layout: ReturnType<typeof layoutIn>
  schools: SchoolNames
  today: number
}

function RowPlace({ index, list, layout, schools, today }: RowPlaceProps) {
  const { rows } = list
  const { openAt, mark } = useActs()
  const item = rows.rowAt(index)
  const top = topOf(index, layout)
  const heading = headingAbove(index, layout)
  return (
    <>
      {heading !== null && <Heading {...heading} top={top - HEADING_HEIGHT} />}
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
            queue={list.queue}
            school={schools.of(item)}
            schoolOf={schools.byId}
            search={list.search}
            find={list.find}
            today={today}
            cohort={rows.data?.cohort ?? null}
            isCursor={index === list.cursor}
            isOpen={keyOf(item) === list.openId}
            isLate={index >= layout.fresh && Date.parse(item.seenAt) > layout.newAfter}
            isMarked={isMarked(list, keyOf(item))}
            isMarking={list.isMarking}
            onOpen={openAt}
            onMark={mark}
          />
        )}
      </div>
    </>
  )
}

function Heading({ kind, count, top }: RowHeading & { top: number }) {
  const t = useTranslations('inbox.heading')
  return (
    <div
      role="presentation"
      style={{ height: `${HEADING_HEIGHT}rem`, transform: `translateY(${top}rem)` }}
      className="row-heading edge"
    >
      <span>{t(kind)}</span>
      {count !== undefined && <span className="tabular ml-2 font-normal text-faint">{count}</span>}
    </div>
  )
}

const AGAIN_MS = 5_000
export const loadFoundLead = () => import('@/lib/inbox/found-lead')

const SCREENFUL = 12

export function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SCREENFUL }, (_, index) => (
        <div key={index} className="h-16">
          <SkeletonRow index={index} />
        </div>
      ))}
    </div>
  )
}

/** Stands in for a row on its way. `index` varies the widths, so that a screenful does not look like a grid. */
function SkeletonRow({ index }: { index: number }) {
  return (
    <div aria-hidden className="grid h-full animate-pulse grid-cols-[1rem_1fr] edge content-center gap-x-3 gap-y-2">
      <span className="size-3.25 self-center rounded-full bg-line" />
      <span className={`h-3 rounded-sm bg-line ${WIDTHS[index % WIDTHS.length]}`} />
      <span className="col-start-2 h-2.5 w-3/4 rounded-sm bg-line-soft" />
    </div>
  )
}

const WIDTHS = ['w-32', 'w-44', 'w-36', 'w-52', 'w-28']

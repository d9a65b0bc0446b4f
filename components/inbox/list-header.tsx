import { ArrowUp, Download, ListChecks, ListFilter, Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { lazyContent, lazyPart } from '@/components/app/lazy-part'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd, useShortcut } from '@/components/ui/kbd'
import { Popover } from '@/components/ui/popover'
import { Segments } from '@/components/ui/segments'
import { isQueue } from '@/lib/api/leads'
import type { ListDescription } from '@/lib/contract/lists'
import { type FilterParams, isAnySet, isToDo, toDo } from '@/lib/inbox/filter-params'
import { keyOf } from '@/lib/inbox/lead-text'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { descriptionIn, type InboxState, marksIn, totalIn, wordsIn } from './inbox-state'
import { useActs, useInbox } from './use-inbox'

const headerIn = (state: InboxState) => ({
  place: state.place,
  queue: state.queue,
  description: descriptionIn(state),
  words: wordsIn(state),
  total: totalIn(state),
  waiting: state.rows.waiting,
  hasRows: state.rows.count > 0,
})

export function ListHeader() {
  const t = useTranslations('inbox')
  const { place, queue, description, words, total, waiting, hasRows } = useInbox(headerIn)
  return (
    <header className="flex flex-col gap-2.5 edge border-b border-line-soft pt-3 pb-2">
      <div className="flex min-h-8 items-center gap-x-2">
        <div className="flex min-w-0 flex-1 items-baseline gap-x-2">
          <h1 id="list-title" className="min-w-0 text-title font-semibold wrap-anywhere max-[14rem]:text-base">
            {isQueue(place) ? t(`queues.${place}`) : t(`${place}.title`)}
          </h1>
          {total !== undefined && (
            <span
              aria-hidden
              data-waiting={waiting > 0 || undefined}
              className="tabular text-base text-faint not-wide:data-waiting:hidden"
            >
              {queue ? <queue.Total /> : t('total', { count: total })}
            </span>
          )}
        </div>
        <Waiting count={waiting} />
        {hasRows && <ListActions />}
      </div>
      <SearchField />
      {queue && <queue.Kinds />}
      {description && <FilterBar description={description} />}
      <output className="sr-only">{total !== undefined && t(`${words}.count`, { count: total })}</output>
    </header>
  )
}

/** New leads wait here, so that their coming moves no row. */
function Waiting({ count }: { count: number }) {
  const t = useTranslations('inbox')
  const { showWaiting } = useActs()
  return (
    <div aria-live="polite" className="shrink-0 print:hidden">
      {count > 0 && (
        <button type="button" title={t('freshHint')} onClick={showWaiting} className="waiting-button">
          <ArrowUp className="size-3.5 text-accent" />
          {t('fresh', { count })}
        </button>
      )}
    </div>
  )
}

function ListActions() {
  const t = useTranslations('inbox')
  const { isMarking } = useInbox(marksIn)
  const acts = useActs()
  return (
    <span className="-mr-2 flex shrink-0 print:hidden">
      <IconButton
        icon={ListChecks}
        label={t(isMarking ? 'marked.stop' : 'marked.start')}
        onClick={() => (isMarking ? acts.unmark() : acts.choose())}
      />
      <IconButton
        icon={Download}
        label={t('export')}
        onClick={async () => (await import('./inbox-dialogs')).takeLeads(acts, 'export', true)}
      />
    </span>
  )
}

const searchIn = (state: InboxState) => ({
  words: wordsIn(state),
  filters: state.filters,
  rows: state.rows,
  isAny: marksIn(state).isAny,
})

function SearchField() {
  const t = useTranslations('inbox')
  const { words, filters, rows, isAny } = useInbox(searchIn)
  const { setSearch, searchField, focusList, openAt, goTo } = useActs()
  /** The text whose first hit is wanted, as soon as its rows are there. */
  const [wanted, setWanted] = useState<{ text: string; isOpening: boolean } | null>(null)
  const isAnswered = filters.isCurrent && !rows.isPrevious && rows.data !== undefined
  const isOver = wanted !== null && (wanted.text !== filters.search || rows.error !== null)
  const done = useRef(wanted)
  useEffect(() => {
    if (wanted === null || wanted === done.current || (!isAnswered && !isOver)) return
    done.current = wanted
    const first = isOver ? undefined : rows.rowAt(0)
    if (first === undefined) return
    if (wanted.isOpening && !isAny) openAt(keyOf(first), 0)
    else goTo(keyOf(first), 0)
    focusList()
  }, [wanted, isAnswered, isOver, rows, isAny, openAt, goTo, focusList])
  const press = (event: KeyboardEvent) => {
    const { search } = filters
    const leave = () => {
      searchField.current?.blur()
      focusList()
    }
    const goToFirst = (isOpening: boolean) => () => setWanted({ text: search, isOpening })
    // On a screen keyboard Enter is there to see the hits, not to leave them.
    const isTouch = () => window.matchMedia('(pointer: coarse)').matches
    const acts: Readonly<Record<string, (() => void) | undefined>> = {
      Escape: search === '' ? leave : () => setSearch(''),
      ArrowDown: goToFirst(false),
      Enter: search.trim() === '' ? leave : () => goToFirst(!isTouch())(),
    }
    const act = isPressOfKey(event.nativeEvent) ? acts[event.key] : undefined
    if (act === undefined) return
    // Heard in the field first, so that no command of the screen takes it too.
    event.preventDefault()
    act()
  }
  const label = t(`${words}.search`)
  const shortcut = useShortcut('/')
  return (
    <div className="search-box">
      <Search className="size-4 shrink-0" />
      <input
        ref={searchField}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder={label}
        value={filters.search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={press}
        onBlur={() => setWanted(null)}
        className="search-input"
      />
      {filters.search === '' ? (
        shortcut && <Kbd>{shortcut}</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            setSearch('')
            searchField.current?.focus()
          }}
          className="grid size-6 place-items-center rounded-sm hover:bg-hover hover:text-ink touch:size-11 touch:-mr-1.5"
        >
          <X className="size-3.5" />
        </button>
      )}
    </div>
  )
}

export const FilterPanel = lazyContent(async () => (await import('./filter-panel')).FilterPanel)
export const FilterChips = lazyPart(async () => (await import('./filter-panel')).FilterChips)

/** One line that never wraps: what waits or everything, the filters behind one button, and what of them is set. */
function FilterBar({ description }: { description: ListDescription }) {
  const t = useTranslations('inbox')
  const { params } = useInbox((state) => state.filters)
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t('filters')}</legend>
      <Popover
        label={t('filters')}
        className="floating-sheet p-1 desk:w-72"
        onNear={() => Promise.all([FilterPanel.load(), FilterChips.load()])}
        onOpened={(box) => box.querySelector('button')?.focus()}
        trigger={(trigger) => (
          <div className="flex items-center gap-1.5">
            <ToDoSwitch params={params} />
            <FilterButton {...trigger}>
              <span className="not-desk:sr-only touch:sr-only">{t('filters')}</span>
            </FilterButton>
            {isAnySet(params) && <FilterChips description={description} />}
          </div>
        )}
      >
        {(close) => <FilterPanel description={description} close={close} />}
      </Popover>
    </fieldset>
  )
}

export function FilterButton(trigger: ComponentProps<'button'>) {
  const t = useTranslations('inbox')
  return (
    <button {...trigger} type="button" aria-label={t('filters')} className="filter-button">
      <ListFilter className="size-3.5 text-mute touch:size-4.5" />
      {trigger.children}
    </button>
  )
}

function ToDoSwitch({ params }: { params: FilterParams }) {
  const t = useTranslations('inbox')
  const { setFilters } = useActs()
  return (
    <div className="min-w-0 shrink-0 [&_label]:px-2 max-[16rem]:[&_label]:px-1 print:hidden">
      <Segments
        look="switch"
        label={t('toDo.label')}
        value={isToDo(params) ? 'toDo' : 'all'}
        options={(['toDo', 'all'] as const).map((value) => ({ value, text: t(`toDo.${value}`) }))}
        onChange={(value) => setFilters(toDo(params, value === 'toDo'))}
      />
    </div>
  )
}

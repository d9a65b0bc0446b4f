import { Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Kbd } from '@/components/ui/kbd'
import { keyOf } from '@/lib/inbox/lead-text'
import type { InboxState } from './use-inbox'

export function SearchField({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { words, filters, searchField } = inbox
  const label = t(`${words}.search`)
  const value = filters.search
  const { leave, openFirst, goToFirst, forget } = useWaysOut(inbox)
  const ways: Ways = {
    Escape: value === '' ? leave : () => filters.setSearch(''),
    ArrowDown: goToFirst,
    // On a screen keyboard this key is there to see the hits, not to leave them.
    Enter: value.trim() === '' ? leave : () => (isTouched() ? goToFirst() : openFirst()),
  }
  return (
    <div className="search-box">
      <Search aria-hidden className="size-4 shrink-0" />
      <input
        ref={searchField}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        onChange={(event) => filters.setSearch(event.target.value)}
        onKeyDown={(event) => go(event, ways)}
        onBlur={forget}
        className="min-w-0 flex-1 bg-transparent text-base text-ink outline-none touch:text-[1rem] [&::-webkit-search-cancel-button]:hidden"
      />
      {value === '' ? (
        <Kbd>/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            filters.setSearch('')
            searchField.current?.focus()
          }}
          className="grid size-6 place-items-center rounded-sm hover:bg-hover hover:text-ink touch:size-9"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  )
}

type Ways = Readonly<Record<string, (() => void) | undefined>>

function go(event: KeyboardEvent, ways: Ways): void {
  const way = event.nativeEvent.isComposing ? undefined : ways[event.key]
  if (way === undefined) return
  event.preventDefault()
  way()
}

function isTouched(): boolean {
  return window.matchMedia('(pointer: coarse)').matches
}

/** The ways on from the text. While the rows are those of an earlier text, Enter waits for the answer. */
function useWaysOut({ filters, rows, cursor, marked, searchField, focusList }: InboxState) {
  const wish = useRef<{ text: string; isOpening: boolean } | null>(null)
  const fulfil = () => {
    if (wish.current === null) return
    const { text, isOpening } = wish.current
    const isOver = text !== filters.search || rows.error !== null
    if (!isOver && (!filters.isCurrent || rows.isPrevious || rows.data === undefined)) return
    wish.current = null
    const first = isOver ? undefined : rows.rowAt(0)
    if (first === undefined) return
    if (isOpening && !marked.isAny) cursor.openAt(keyOf(first), 0)
    else cursor.goTo(keyOf(first), 0)
    focusList()
  }
  // The answer comes with a render of the whole list.
  useEffect(fulfil)
  const want = (isOpening: boolean) => {
    wish.current = { text: filters.search, isOpening }
    fulfil()
  }
  return {
    leave: () => {
      searchField.current?.blur()
      focusList()
    },
    openFirst: () => want(true),
    goToFirst: () => want(false),
    forget: () => {
      wish.current = null
    },
  }
}

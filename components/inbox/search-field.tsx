import { Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Kbd, useShortcut } from '@/components/ui/kbd'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { useInbox } from './use-inbox'

export function SearchField({ label }: { label: string }) {
  const t = useTranslations('inbox')
  const { filters, rows, marks, actions } = useInbox()
  const { setSearch, searchField, focusList, openRow, moveTo } = actions
  const { search } = filters
  /** The user has asked for the first hit of this text, whose rows may not have arrived. */
  const pendingHit = useRef<{ text: string; isToBeOpened: boolean } | null>(null)
  const goToPendingHit = () => {
    const hit = pendingHit.current
    const isObsolete = hit?.text !== search || rows.error !== null
    const isLoading = !filters.isSearchApplied || rows.isOfPreviousQuery || rows.data === undefined
    if (hit === null || (isLoading && !isObsolete)) return
    pendingHit.current = null
    const first = rows.rowAt(0)
    if (isObsolete || first === undefined) return
    if (hit.isToBeOpened && !marks.hasMarks) openRow(toLeadKey(first), 0)
    else moveTo(toLeadKey(first), 0)
    focusList()
  }
  useEffect(goToPendingHit)
  const goToHit = (isToBeOpened: boolean) => {
    pendingHit.current = { text: search, isToBeOpened }
    goToPendingHit()
  }
  const leaveField = () => {
    searchField.current?.blur()
    focusList()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (!isTypedKey(event.nativeEvent) || !['Escape', 'ArrowDown', 'Enter'].includes(key)) return
    // A key that the field handles is no command of the screen.
    event.preventDefault()
    if (key === 'Escape' && search !== '') return setSearch('')
    if (key === 'Escape' || (key === 'Enter' && search.trim() === '')) return leaveField()
    // With a screen keyboard Enter opens no lead, because the user first wants to see the hits.
    goToHit(key === 'Enter' && !window.matchMedia('(pointer: coarse)').matches)
  }
  const clear = () => {
    setSearch('')
    searchField.current?.focus()
  }
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
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => (pendingHit.current = null)}
        className="search-input"
      />
      {search === '' ? (
        shortcut && <Kbd>{shortcut}</Kbd>
      ) : (
        <button type="button" aria-label={t('clearSearch')} onClick={clear} className="search-clear">
          <X className="size-3.5" />
        </button>
      )}
    </div>
  )
}

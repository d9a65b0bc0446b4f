import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { Screen } from '@/components/app/screens'
import { useModalDialog } from '@/components/ui/focus-return'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { type PaletteEntry, type PaletteSection, usePaletteSections } from './palette-sections'

/** Finds what can be done or opened, and people and leads, by a part of the name: a combobox (WAI-ARIA APG). */
export function Palette({ screens, onClose }: { screens: readonly Screen[]; onClose: () => void }) {
  const t = useTranslations('palette')
  const dialog = useModalDialog()
  const [query, setQuery] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { sections, note, isAwaitingResults } = usePaletteSections(screens, query.trim())
  const entries = sections.flatMap((section) => section.entries)
  const activeEntry = entries.find(({ id }) => id === chosenId) ?? (isAwaitingResults ? undefined : entries[0])
  const activeOptionId = activeEntry && toOptionId(activeEntry)
  useEffect(() => {
    if (activeOptionId) document.getElementById(activeOptionId)?.scrollIntoView({ block: 'nearest' })
  }, [activeOptionId])
  const run = (entry: PaletteEntry) => {
    dialog.current?.close()
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isTypedKey(event.nativeEvent)) return
    const activeIndex = entries.findIndex((entry) => entry === activeEntry)
    if (event.key === 'ArrowDown') setChosenId(entries[(activeIndex + 1) % entries.length]?.id ?? null)
    else if (event.key === 'ArrowUp') setChosenId(entries.at(Math.max(activeIndex, 0) - 1)?.id ?? null)
    else if (event.key !== 'Enter') return
    else if (activeEntry) run(activeEntry)
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t('title')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[min(12dvh,6rem)] mb-auto max-h-[min(76dvh,40rem)] w-[calc(100vw-32px)] low:my-auto low:max-h-[calc(100dvh-1rem)] max-w-2xl flex-col overflow-hidden rounded-xl border border-line bg-raised p-0 shadow-float open:flex open:animate-rise"
    >
      <label className="flex items-center gap-3 border-b border-line-soft px-4 text-faint">
        <Search className="size-4 shrink-0" />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={activeOptionId}
          aria-label={t('title')}
          placeholder={t('placeholder')}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setQuery(target.value)
            setChosenId(null)
          }}
          className="h-13 min-w-0 flex-1 bg-transparent text-base text-ink outline-none touch:text-[1rem]"
        />
      </label>
      <p role="status" className={note === null ? 'sr-only' : 'px-4.5 pt-2.5 text-sm text-mute'}>
        {note ?? t('count', { count: entries.length })}
      </p>
      <PaletteList sections={sections} activeEntry={activeEntry} onPoint={setChosenId} onRun={run} />
    </dialog>
  )
}

/** The entry's id is encoded, because an element's id may hold no space. */
const toOptionId = ({ id }: PaletteEntry) => `palette-${encodeURIComponent(id)}`

type PaletteListProps = {
  sections: readonly PaletteSection[]
  activeEntry: PaletteEntry | undefined
  onPoint: (id: string) => void
  onRun: (entry: PaletteEntry) => void
}

function PaletteList({ sections, activeEntry, onPoint, onRun }: PaletteListProps) {
  const t = useTranslations('palette')
  return (
    <div
      id="palette-list"
      role="listbox"
      aria-label={t('title')}
      className="scroll-thin min-h-0 overflow-y-auto overscroll-contain p-1.5"
    >
      {sections.map(({ id, heading, entries }) => (
        <div
          key={id}
          role="group"
          aria-labelledby={heading === null ? undefined : `palette-group-${id}`}
          className="not-first:mt-1 not-first:border-t not-first:border-line-soft not-first:pt-1"
        >
          {heading !== null && (
            <div
              id={`palette-group-${id}`}
              role="presentation"
              className="px-3 pt-1.5 pb-1 text-xs font-semibold text-mute"
            >
              {heading}
            </div>
          )}
          {entries.map((entry) => (
            <div
              key={entry.id}
              id={toOptionId(entry)}
              role="option"
              aria-selected={entry === activeEntry}
              onPointerMove={() => onPoint(entry.id)}
              onClick={() => onRun(entry)}
              className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm aria-selected:bg-hover touch:min-h-11"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate text-start">
                {entry.label}
              </span>
              {Boolean(entry.detail) && (
                <span className="max-w-[45%] shrink-0 truncate desk:max-w-[55%] text-xs text-mute">{entry.detail}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Screen } from '@/components/desk/screens'
import { matchText } from '@/lib/keyboard/match-text'
import { CommandKeys } from './help-dialog'
import { type PaletteItem, usePaletteItems } from './palette-items'

type PaletteProps = { screens: readonly Screen[]; onClose: () => void }

/** Everything that can be done or gone to, by typing a part of its name (WAI-ARIA APG: combobox with a listbox). */
export function Palette({ screens, onClose }: PaletteProps) {
  const t = useTranslations('palette')
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const items = itemsFor(text, usePaletteItems(screens))
  useEffect(() => void dialog.current?.showModal(), [])
  useEffect(() => void document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])

  const type = (typed: string) => {
    setText(typed)
    setAt(0)
  }
  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return
    dialog.current?.close()
    onClose()
    item.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, at, items.length)
    if (event.key !== 'Enter' && next === null) return
    event.preventDefault()
    if (next === null) run(items[at])
    else setAt(next)
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t('title')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12dvh] mb-auto max-h-[70dvh] w-[calc(100vw-32px)] max-w-xl flex-col overflow-hidden rounded-xl border border-line bg-raised p-0 shadow-float open:flex open:animate-rise"
    >
      <Field text={text} shown={items.length > 0 ? `palette-${at}` : undefined} onKey={onKey} onChange={type} />
      <div
        id="palette-list"
        role="listbox"
        aria-label={t('title')}
        className="scroll-thin min-h-0 overflow-y-auto overscroll-contain p-1.5"
      >
        {items.map((item, index) => {
          const place = { item, index, isChosen: index === at }
          return <Item key={item.id} {...place} onPoint={() => setAt(index)} onRun={() => run(item)} />
        })}
      </div>
      <FoundCount count={items.length} />
    </dialog>
  )
}

function FoundCount({ count }: { count: number }) {
  const t = useTranslations('palette')
  return (
    <p role="status" className={count > 0 ? 'sr-only' : 'px-4 pb-4 text-sm text-mute'}>
      {count > 0 ? t('count', { count }) : t('nothing')}
    </p>
  )
}

type FieldProps = {
  text: string
  shown: string | undefined
  onKey: (event: KeyboardEvent) => void
  onChange: (text: string) => void
}

function Field({ text, shown, onKey, onChange }: FieldProps) {
  const t = useTranslations('palette')
  return (
    <label className="flex items-center gap-3 border-b border-line-soft px-4 text-faint">
      <Search aria-hidden className="size-4 shrink-0" />
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={shown}
        aria-label={t('title')}
        placeholder={t('placeholder')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKey}
        className="h-13 min-w-0 flex-1 bg-transparent text-base text-ink outline-none touch:text-[1rem]"
      />
    </label>
  )
}

type ItemProps = { item: PaletteItem; index: number; isChosen: boolean; onPoint: () => void; onRun: () => void }

function Item({ item, index, isChosen, onPoint, onRun }: ItemProps) {
  return (
    <div
      id={`palette-${index}`}
      role="option"
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onRun}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm aria-selected:bg-accent-soft touch:min-h-11"
    >
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      <span className="shrink-0 text-xs text-faint">{item.group}</span>
      {item.command !== undefined && <CommandKeys id={item.command} />}
    </div>
  )
}

const MOST = 60

/** The best matches first; before anything is typed, all but the many. */
function itemsFor(text: string, items: readonly PaletteItem[]): PaletteItem[] {
  if (text.trim() === '') return items.filter(({ isQuiet }) => isQuiet !== true)
  return items
    .flatMap((item) => {
      const rank = matchText(`${item.label} ${item.group}`, text)
      return rank === null ? [] : [{ item, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ item }) => item)
}

function placeAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

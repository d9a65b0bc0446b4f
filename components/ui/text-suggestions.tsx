import { type FormEvent, type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { cn } from './cn'
import { isPressOfKey } from '@/lib/keyboard/key-press'

/** What finds suggestions: `query`, which stands in the text between `from` and the caret at `to`. */
export type Typed = { from: number; to: number; query: string }

type Options<Item> = {
  typedAt: (text: string, caret: number) => Omit<Typed, 'to'> | null
  itemsFor: (query: string) => readonly Item[]
  onChosen: (item: Item, typed: Typed) => void
}

/** Suggestions while a text is typed: arrows move, Enter or Tab takes, Escape leaves it as typed. The field keeps the focus. */
export function useTextSuggestions<Item>({ typedAt, itemsFor, onChosen }: Options<Item>) {
  const id = useId()
  const [typed, setTyped] = useState<Typed | null>(null)
  const [moved, setMoved] = useState(0)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const items = typed === null ? [] : itemsFor(typed.query)
  const active = Math.min(moved, items.length - 1)
  const isOpen = typed !== null && items.length > 0
  const choose = (item: Item) => {
    setTyped(null)
    if (typed !== null) onChosen(item, typed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = isOpen && isPressOfKey(event.nativeEvent) ? actionOf(event, active, items.length) : null
    if (action === null) return
    event.preventDefault()
    event.stopPropagation()
    const item = items[active]
    if (typeof action === 'number') setMoved(action)
    else if (action === 'take' && item !== undefined) choose(item)
    else {
      setLeftAt(typed?.from ?? null)
      setTyped(null)
    }
  }
  return {
    field: {
      onKeyDown,
      onInput: ({ currentTarget: { value, selectionEnd } }: FormEvent<HTMLTextAreaElement>) => {
        const next = typedAt(value, selectionEnd)
        if (next === null) setLeftAt(null)
        setTyped(next === null || next.from === leftAt ? null : { ...next, to: selectionEnd })
        setMoved(0)
      },
      onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
        if (currentTarget.selectionEnd !== typed?.to) setTyped(null)
      },
      onBlur: () => setTyped(null),
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? optionId(id, active) : undefined,
    } as const,
    list: { id, items, active, choose },
  }
}

const optionId = (id: string, index: number) => `${id}-${index}`

function actionOf(event: KeyboardEvent, active: number, count: number): number | 'take' | 'leave' | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null
  if (event.key === 'ArrowDown') return (active + 1) % count
  if (event.key === 'ArrowUp') return (active + count - 1) % count
  if (event.key === 'Escape') return 'leave'
  return event.key === 'Enter' || event.key === 'Tab' ? 'take' : null
}

/** The field may be the last thing on the page, with the list below its edge. */
function bringIntoSight(list: HTMLElement | null): void {
  list?.scrollIntoView({ block: 'nearest' })
}

type SuggestionListProps<Item> = {
  list: { id: string; items: readonly Item[]; active: number; choose: (item: Item) => void }
  label: string
  status: string
  children: (item: Item) => ReactNode
}

export function SuggestionList<Item extends { id: string }>({
  list,
  label,
  status,
  children,
}: SuggestionListProps<Item>) {
  const { id, items, active, choose } = list
  return (
    <>
      <span role="status" className="sr-only">
        {items.length > 0 && status}
      </span>
      {items.length > 0 && (
        <div
          ref={bringIntoSight}
          id={id}
          role="listbox"
          aria-label={label}
          className="mb-2 border-y border-line-soft bg-bg py-1"
        >
          {items.map((item, index) => (
            <div
              key={item.id}
              id={optionId(id, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // The field keeps the focus, and with it the caret.
              onPointerDown={(event) => (event.preventDefault(), choose(item))}
              className={cn(
                'flex min-h-8 cursor-pointer items-center gap-3 px-3.5 text-sm hover:bg-hover touch:min-h-11',
                index === active && 'bg-selected',
              )}
            >
              {children(item)}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, type KeyboardEvent, type RefObject, type SyntheticEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { cn } from '@/components/ui/cn'
import { peopleOfSchool } from '@/lib/api/queries'
import type { Colleague } from '@/lib/contract/user'
import { mentionBeingWritten } from '@/lib/inbox/mentions'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { foldText } from '@/lib/leads/comparable-text'

const MAX_COLLEAGUES = 6

/** What finds colleagues: `query`, which stands in the text between `from` and the caret at `to`. */
type Typed = { from: number; to: number; query: string }

type Field = { text: string; write: (text: string) => void; box: RefObject<HTMLTextAreaElement | null> }

/**
 * Colleagues to name after an `@`: arrows move, Enter or Tab takes, Escape leaves it as typed. The field keeps the focus.
 * `school` is the lead's, whose staff can be named.
 */
export function useMentions(school: string, { text, write, box }: Field) {
  const id = useId()
  const [typed, setTyped] = useState<Typed | null>(null)
  const [moved, setMoved] = useState(0)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const items = useColleagues(school, typed?.query ?? null)
  const active = Math.min(moved, items.length - 1)
  const choose = ({ name }: Colleague) => {
    setTyped(null)
    if (typed === null) return
    const before = `${text.slice(0, typed.from)}@${name} `
    // The caret can stand there once the text is in the field.
    flushSync(() => write(before + text.slice(typed.to).replace(/^ /, '')))
    box.current?.focus()
    box.current?.setSelectionRange(before.length, before.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = items.length > 0 && isPressOfKey(event.nativeEvent) ? actionOf(event, active, items.length) : null
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
        const mention = mentionBeingWritten(value, selectionEnd)
        if (mention === null) setLeftAt(null)
        const isOpen = mention !== null && mention.start !== leftAt
        setTyped(isOpen ? { from: mention.start, to: selectionEnd, query: mention.typed } : null)
        setMoved(0)
      },
      onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
        if (currentTarget.selectionEnd !== typed?.to) setTyped(null)
      },
      onBlur: () => setTyped(null),
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': items.length > 0 ? id : undefined,
      'aria-activedescendant': items.length > 0 ? optionId(id, active) : undefined,
    } as const,
    list: { id, items, active, choose },
  }
}

/** By the beginning of a word of their name; none where a whole name is written. */
function useColleagues(school: string, query: string | null): readonly Colleague[] {
  const ownId = useCurrentUser()?.id
  const { data } = useQuery({ ...peopleOfSchool(school), enabled: query !== null })
  if (query === null) return []
  const typed = foldText(query.trim())
  const found = (data?.people ?? []).filter(
    ({ id, name }) => id !== ownId && ` ${foldText(name)}`.includes(` ${typed}`),
  )
  const isWritten = found.length === 1 && foldText(found[0]?.name ?? '') === typed
  return isWritten ? [] : found.slice(0, MAX_COLLEAGUES)
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

export function MentionList({ list: { id, items, active, choose } }: { list: ReturnType<typeof useMentions>['list'] }) {
  const t = useTranslations('contact.notes')
  return (
    <>
      <span role="status" className="sr-only">
        {items.length > 0 && t('mentions', { count: items.length })}
      </span>
      {items.length > 0 && (
        <div
          ref={bringIntoSight}
          id={id}
          role="listbox"
          aria-label={t('mentionList')}
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
              <Avatar name={item.name} />
              <span className="min-w-0 flex-1 truncate">{item.name}</span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}

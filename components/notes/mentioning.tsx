import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { peopleOfSchool } from '@/lib/api/queries'
import type { Colleague } from '@/lib/contract/user'
import { mentionBeingWritten } from '@/lib/inbox/mentions'
import { foldText } from '@/lib/leads/comparable-text'

type Field = { id: string; text: string; write: (text: string) => void; box: RefObject<HTMLTextAreaElement | null> }

const MOST_SHOWN = 6

/**
 * Colleagues to name after `@` in a note: arrows choose, Enter or Tab takes, Escape closes. The focus stays in the
 * text; `aria-activedescendant` names the choice.
 */
export function useMentioning(school: string | undefined, { id, text, write, box }: Field) {
  const [caret, setCaret] = useState(0)
  const [letBe, setLetBe] = useState(-1)
  const [chosen, setChosen] = useState({ typed: '', place: 0 })
  const writing = mentionBeingWritten(text, caret)
  const isWriting = writing !== null && writing.start !== letBe
  const people = usePeople(school, isWriting ? writing.typed : null)
  const place = chosen.typed === writing?.typed ? Math.min(chosen.place, people.length - 1) : 0
  const take = ({ name }: Colleague) => {
    if (writing === null) return
    const before = `${text.slice(0, writing.start)}@${name} `
    // The caret can stand there once the text is in the field.
    flushSync(() => {
      write(before + text.slice(caret).replace(/^ /, ''))
      setCaret(before.length)
    })
    box.current?.focus()
    box.current?.setSelectionRange(before.length, before.length)
  }
  const move = (step: number) =>
    setChosen({ typed: writing?.typed ?? '', place: (place + step + people.length) % people.length })
  const isOpen = people.length > 0
  const current = people[place]
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => current && take(current),
    Tab: () => current && take(current),
    Escape: () => setLetBe(writing?.start ?? -1),
  }
  return {
    people,
    place,
    take,
    onKey: (event: KeyboardEvent): boolean => {
      const act = isOpen && !hasModifier(event) ? keys[event.key] : undefined
      if (act === undefined || event.nativeEvent.isComposing) return false
      event.preventDefault()
      event.stopPropagation()
      act()
      return true
    },
    onCaret: () => setCaret(box.current?.selectionStart ?? 0),
    attributes: {
      'aria-autocomplete': 'list' as const,
      'aria-haspopup': 'listbox' as const,
      'aria-controls': isOpen ? listId(id) : undefined,
      'aria-activedescendant': isOpen ? optionId(id, place) : undefined,
    },
  }
}

function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey
}

const listId = (id: string) => `mentions-${id}`
const optionId = (id: string, place: number) => `mention-${id}-${place}`

/** Those with a word of their name that begins so; none for null. */
function usePeople(school: string | undefined, typed: string | null): Colleague[] {
  const me = useCurrentUser()?.id
  const { data } = useQuery({ ...peopleOfSchool(school), enabled: typed !== null })
  if (typed === null || data === undefined) return []
  const wanted = foldText(typed.trim())
  const begins = ({ name }: Colleague) => {
    const folded = foldText(name)
    return folded.startsWith(wanted) || folded.split(' ').some((word) => word.startsWith(wanted))
  }
  const found = data.people.filter((person) => person.id !== me && begins(person))
  // A whole name has been written: nothing is left to choose.
  const [only, ...others] = found
  return only && others.length === 0 && foldText(only.name) === foldText(typed) ? [] : found.slice(0, MOST_SHOWN)
}

/** The field is the last thing on the page, so that what opens under it would be below its edge. */
function bringIntoSight(list: HTMLElement | null): void {
  list?.scrollIntoView({ block: 'nearest' })
}

type MentionListProps = Pick<ReturnType<typeof useMentioning>, 'people' | 'place' | 'take'> & { id: string }

export function MentionList({ id, people, place, take }: MentionListProps) {
  const t = useTranslations('contact.notes')
  return (
    <>
      <span role="status" className="sr-only">
        {people.length > 0 && t('mentions', { count: people.length })}
      </span>
      {people.length > 0 && (
        <div
          ref={bringIntoSight}
          id={listId(id)}
          role="listbox"
          aria-label={t('mentionList')}
          className="mx-2 mb-2 rounded-md border border-line bg-raised p-1 shadow-card"
        >
          {people.map((person, at) => (
            <div
              key={person.id}
              id={optionId(id, at)}
              role="option"
              aria-selected={at === place}
              onPointerDown={(event) => {
                event.preventDefault()
                take(person)
              }}
              className="flex min-h-8 cursor-default items-center gap-2.5 rounded-sm px-2.5 text-sm hover:bg-hover aria-selected:bg-fill touch:min-h-11"
            >
              <Avatar name={person.name} />
              <span className="min-w-0 flex-1 truncate">{person.name}</span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { leaveByEscape } from '@/components/ui/focus-return'
import { Kbd } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import { peopleOfSchool } from '@/lib/api/queries'
import type { LeadRef } from '@/lib/contract/lead'
import type { Colleague } from '@/lib/contract/user'
import { createNoteDrafts, joined } from '@/lib/inbox/drafts'
import { mentionBeingWritten } from '@/lib/inbox/mentions'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { foldText } from '@/lib/leads/comparable-text'
import { useAddNote } from './own-notes'

const MAX_LENGTH = 5_000

type NoteComposerProps = {
  lead: LeadRef
  /** The lead's school, whose staff can be named. */
  school: string
  /** How often the user asked to write. */
  focusRequests: number
}

/** Escape leaves the field and keeps the text; Ctrl or Cmd with Enter saves. What fails to save comes back. */
export function NoteComposer({ lead, school, focusRequests }: NoteComposerProps) {
  const t = useTranslations('contact.notes')
  const { text, write, save, isError } = useDraft(lead)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focusRequests > 0) box.current?.focus()
  }, [focusRequests])
  const over = text.trim().length - MAX_LENGTH
  const maySave = text.trim() !== '' && over <= 0
  const mentions = useMentions(school, { text, write, box })
  const onKeyDown = (event: KeyboardEvent) => {
    mentions.field.onKeyDown(event)
    if (event.isDefaultPrevented()) return
    leaveByEscape(event)
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isPressOfKey(event.nativeEvent)) return
    event.preventDefault()
    if (maySave) save()
  }
  return (
    <div className="rounded-lg border border-field-line bg-panel has-[textarea:focus-visible]:border-accent">
      <textarea
        aria-label={t('label')}
        placeholder={t('placeholder')}
        aria-invalid={over > 0 || undefined}
        aria-describedby={`hint-${lead.id}`}
        ref={box}
        {...mentions.field}
        value={text}
        data-note=""
        dir="auto"
        rows={1}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-80 min-h-10 touch:min-h-11 w-full resize-none bg-transparent px-3.5 py-2.5 text-base outline-none touch:text-[1rem]"
      />
      <MentionList list={mentions.list} />
      <div className="flex items-center gap-3 px-3.5 pb-2">
        <p
          id={`hint-${lead.id}`}
          role="status"
          className={cn('min-w-0 flex-1 text-xs', over > 0 || isError ? 'text-danger' : 'text-mute')}
        >
          {over > 0 ? t('tooLong', { over }) : t(isError ? 'failedToSave' : 'hint')}
        </p>
        {/* The button goes with the text, and must not take the focus along. */}
        {text !== '' && (
          <Button
            size="sm"
            variant="primary"
            className="-mr-1.5"
            disabled={!maySave}
            onClick={() => (save(), box.current?.focus())}
            text={
              <>
                {t('save')}
                <Kbd inverted>{'Ctrl ↵'}</Kbd>
              </>
            }
          />
        )}
      </div>
    </div>
  )
}

function useDraft(lead: LeadRef) {
  const t = useTranslations('contact.notes')
  const owner = useCurrentUser()?.id ?? ''
  const { add, isSaving } = useAddNote(lead)
  const drafts = useMemo(() => createNoteDrafts(window.sessionStorage, owner), [owner])
  const [text, setText] = useState(() => (isSaving() ? drafts.read(lead) : drafts.recover(lead)))
  const [isError, setError] = useState(false)
  const { kind, id } = lead
  useEffect(
    () =>
      drafts.whileShown({ kind, id }, (failed) => {
        setText((typed) => joined([failed, typed]))
        setError(true)
      }),
    [drafts, kind, id],
  )
  const write = (next: string) => {
    setText(next)
    drafts.write(lead, next)
  }
  const save = () => {
    const kept = drafts.beginSaving(lead, text.trim())
    write('')
    setError(false)
    add(text.trim()).then(kept.saved, () => {
      if (!kept.failed()) toast(t('failedToSave'), { tone: 'error', stays: true })
    })
  }
  return { text, write, save, isError }
}

const MAX_COLLEAGUES = 6

type Field = { text: string; write: (text: string) => void; box: RefObject<HTMLTextAreaElement | null> }

/**
 * Colleagues to name after an `@`: arrows move, Enter or Tab takes, Escape leaves it as typed. The field keeps the focus.
 * `school` is the lead's, whose staff can be named.
 */
function useMentions(school: string, { text, write, box }: Field) {
  const id = useId()
  const ownId = useCurrentUser()?.id
  /** The mention being written: `query` stands in the text between `start` and the caret at `end`. */
  const [typed, setTyped] = useState<{ start: number; end: number; query: string } | null>(null)
  const [moved, setMoved] = useState(0)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const { data } = useQuery({ ...peopleOfSchool(school), enabled: typed !== null })
  // By the beginning of a word of their name; none where a whole name is written.
  const query = typed && foldText(typed.query.trim())
  const found = (data?.people ?? []).filter(
    (colleague) => query !== null && colleague.id !== ownId && ` ${foldText(colleague.name)}`.includes(` ${query}`),
  )
  const isWritten = found.length === 1 && foldText(found[0]?.name ?? '') === query
  const items = isWritten ? [] : found.slice(0, MAX_COLLEAGUES)
  const active = Math.min(moved, items.length - 1)
  const choose = ({ name }: Colleague) => {
    setTyped(null)
    if (typed === null) return
    const before = `${text.slice(0, typed.start)}@${name} `
    // The caret can stand there once the text is in the field.
    flushSync(() => write(before + text.slice(typed.end).replace(/^ /, '')))
    box.current?.focus()
    box.current?.setSelectionRange(before.length, before.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    const item = items[active]
    if (item === undefined || hasModifier || !isPressOfKey(event.nativeEvent)) return
    if (event.key === 'ArrowDown') setMoved((active + 1) % items.length)
    else if (event.key === 'ArrowUp') setMoved((active + items.length - 1) % items.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(item)
    else if (event.key === 'Escape') {
      setLeftAt(typed?.start ?? null)
      setTyped(null)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    field: {
      onKeyDown,
      onInput: ({ currentTarget: { value, selectionEnd } }: FormEvent<HTMLTextAreaElement>) => {
        const mention = mentionBeingWritten(value, selectionEnd)
        if (mention === null) setLeftAt(null)
        const isOpen = mention !== null && mention.start !== leftAt
        setTyped(isOpen ? { start: mention.start, end: selectionEnd, query: mention.typed } : null)
        setMoved(0)
      },
      onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
        if (currentTarget.selectionEnd !== typed?.end) setTyped(null)
      },
      onBlur: () => setTyped(null),
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': items.length > 0 ? id : undefined,
      'aria-activedescendant': items.length > 0 ? `${id}-${active}` : undefined,
    } as const,
    list: { id, items, active, choose },
  }
}

function MentionList({ list: { id, items, active, choose } }: { list: ReturnType<typeof useMentions>['list'] }) {
  const t = useTranslations('contact.notes')
  return (
    <>
      <span role="status" className="sr-only">
        {items.length > 0 && t('mentions', { count: items.length })}
      </span>
      {items.length > 0 && (
        <div
          // The field may be the last thing on the page, with the list below its edge.
          ref={(list) => list?.scrollIntoView({ block: 'nearest' })}
          id={id}
          role="listbox"
          aria-label={t('mentionList')}
          className="mb-2 border-y border-line-soft bg-bg py-1"
        >
          {items.map((item, index) => (
            <div
              key={item.id}
              id={`${id}-${index}`}
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

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { leaveByEscape } from '@/components/ui/focus-return'
import { Kbd } from '@/components/ui/kbd'
import { SuggestionList, type Typed, useTextSuggestions } from '@/components/ui/text-suggestions'
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
const MAX_COLLEAGUES = 6

type NoteComposerProps = {
  lead: LeadRef
  /** The lead's school, whose staff can be named; without it that of the user's schools. */
  school?: string | undefined
  /** How often the user asked to write. */
  focusRequests?: number
}

/** Escape leaves the field and keeps the text; Ctrl or Cmd with Enter saves. What fails to save comes back. */
export function NoteComposer({ lead, school, focusRequests = 0 }: NoteComposerProps) {
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
      <SuggestionList
        list={mentions.list}
        label={t('mentionList')}
        status={t('mentions', { count: mentions.list.items.length })}
      >
        {colleagueOption}
      </SuggestionList>
      <Foot id={`hint-${lead.id}`} over={over} isError={isError}>
        {/* The button goes with the text, and must not take the focus along. */}
        {text !== '' && <SaveButton disabled={!maySave} onClick={() => (save(), box.current?.focus())} />}
      </Foot>
    </div>
  )
}

function SaveButton(props: { disabled: boolean; onClick: () => void }) {
  const t = useTranslations('contact.notes')
  return (
    <Button
      size="sm"
      variant="primary"
      className="-mr-1.5"
      {...props}
      text={
        <>
          {t('save')}
          <Kbd inverted>{'Ctrl ↵'}</Kbd>
        </>
      }
    />
  )
}

function Foot({ id, over, isError, children }: { id: string; over: number; isError: boolean; children: ReactNode }) {
  const t = useTranslations('contact.notes')
  const isBad = over > 0 || isError
  return (
    <div className="flex items-center gap-3 px-3.5 pb-2">
      <p id={id} role="status" className={cn('min-w-0 flex-1 text-xs', isBad ? 'text-danger' : 'text-mute')}>
        {over > 0 ? t('tooLong', { over }) : isError ? t('failedToSave') : t('hint')}
      </p>
      {children}
    </div>
  )
}

const colleagueOption = ({ name }: Colleague) => (
  <>
    <Avatar name={name} />
    <span className="min-w-0 flex-1 truncate">{name}</span>
  </>
)

type Field = { text: string; write: (text: string) => void; box: RefObject<HTMLTextAreaElement | null> }

/** Colleagues to name after an `@`, by the beginning of a word of their name. */
function useMentions(school: string | undefined, { text, write, box }: Field) {
  const ownId = useCurrentUser()?.id
  const { data } = useQuery({ ...peopleOfSchool(school), enabled: text.includes('@') })
  const colleaguesFor = (query: string): Colleague[] => {
    const typed = foldText(query.trim())
    const found = (data?.people ?? []).filter(
      ({ id, name }) => id !== ownId && ` ${foldText(name)}`.includes(` ${typed}`),
    )
    const isWritten = found.length === 1 && foldText(found[0]?.name ?? '') === typed
    return isWritten ? [] : found.slice(0, MAX_COLLEAGUES)
  }
  const onChosen = ({ name }: Colleague, { from, to }: Typed) => {
    const before = `${text.slice(0, from)}@${name} `
    // The caret can stand there once the text is in the field.
    flushSync(() => write(before + text.slice(to).replace(/^ /, '')))
    box.current?.focus()
    box.current?.setSelectionRange(before.length, before.length)
  }
  const typedAt = (written: string, caret: number) => {
    const mention = mentionBeingWritten(written, caret)
    return mention && { from: mention.start, query: mention.typed }
  }
  return useTextSuggestions({ typedAt, itemsFor: colleaguesFor, onChosen })
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

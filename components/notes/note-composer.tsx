import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { leaveByEscape } from '@/components/ui/focus-return'
import { Kbd } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import type { LeadRef } from '@/lib/contract/lead'
import { createNoteDrafts, joined } from '@/lib/inbox/drafts'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { MentionList, useMentions } from './mention-suggestions'
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

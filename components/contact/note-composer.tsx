import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { Button } from '@/components/ui/button'
import { blurOnEscape } from '@/components/ui/focus-return'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { schoolPeopleQuery } from '@/lib/api/queries'
import { refreshNotes } from '@/lib/api/refresh'
import { SERIAL_MUTATION } from '@/lib/api/mutation-options'
import type { LeadRef } from '@/lib/contract/lead'
import { MAX_NOTE_LENGTH } from '@/lib/contract/limits'
import { createNoteDrafts, joinParagraphs } from '@/lib/inbox/drafts'
import { findTypedMention } from '@/lib/inbox/mentions'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { completeMention } from './complete-mention'
import { noteMutationKey } from './lead-history'
import { useRequestedFocus } from './use-requested-focus'

type NoteComposerProps = { lead: LeadRef; schoolId: string; focusRequestCount: number }

/**
 * Escape leaves the field and keeps the text; Ctrl or Cmd with Enter saves. After an `@` the school's staff are offered
 * by the typed letters: a press inserts a name, Enter the first one.
 */
export function NoteComposer({ lead, schoolId, focusRequestCount }: NoteComposerProps) {
  const t = useTranslations('contact.notes')
  const { text, write, save } = useNoteDraft(lead)
  const hintId = useId()
  const textarea = useRef<HTMLTextAreaElement>(null)
  // Null means that no names are offered: before the user types, after an insertion and after Escape.
  const [caret, setCaret] = useState<number | null>(null)
  useRequestedFocus(focusRequestCount, () => textarea.current?.focus())
  const completions = useMentionCompletions(schoolId, text, caret)
  const insert = (completion: (typeof completions)[number]) => {
    const field = textarea.current
    if (field === null) return
    // The field gets the text before React does, which would move the caret to the end.
    field.value = completion.note
    field.setSelectionRange(completion.caret, completion.caret)
    field.focus()
    write(completion.note)
    setCaret(null)
  }
  const hasText = text.trim() !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    const [firstCompletion] = completions
    if (event.key === 'Escape' && firstCompletion !== undefined) {
      event.preventDefault()
      return setCaret(null)
    }
    blurOnEscape(event)
    if (event.key !== 'Enter' || event.shiftKey || !isTypedKey(event.nativeEvent)) return
    const isSaveShortcut = event.ctrlKey || event.metaKey
    if (isSaveShortcut || firstCompletion !== undefined) event.preventDefault()
    if (isSaveShortcut && hasText) save()
    if (!isSaveShortcut && firstCompletion !== undefined) insert(firstCompletion)
  }
  return (
    <div className="group rounded-lg border border-field-line bg-panel has-[textarea:focus-visible]:border-accent">
      <textarea
        aria-label={t('label')}
        placeholder={t('placeholder')}
        aria-describedby={hintId}
        ref={textarea}
        value={text}
        data-note=""
        dir="auto"
        rows={1}
        maxLength={MAX_NOTE_LENGTH}
        onChange={({ target }) => {
          write(target.value)
          setCaret(target.selectionEnd)
        }}
        onSelect={({ currentTarget }) => caret !== null && setCaret(currentTarget.selectionEnd)}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-80 min-h-10 touch:min-h-11 w-full resize-none bg-transparent px-3.5 py-2.5 text-base outline-none touch:text-[1rem]"
      />
      <ul aria-label={t('mentionList')} aria-live="polite" className="flex flex-wrap gap-1.5 px-3 not-empty:pb-2">
        {completions.map((completion) => (
          <li key={completion.id}>
            <Button text={completion.name} size="sm" onClick={() => insert(completion)} />
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-3 px-3.5 pb-2">
        <p id={hintId} className="min-w-0 flex-1 text-xs text-mute">
          {t('hint')}
        </p>
        {/* A press returns the focus to the field, because the button disappears with the text. */}
        {hasText && (
          <Button
            size="sm"
            variant="primary"
            className="-mr-1.5"
            text={t('save')}
            shortcut="Ctrl+↵"
            onClick={() => {
              save()
              textarea.current?.focus()
            }}
          />
        )}
      </div>
    </div>
  )
}

function useMentionCompletions(schoolId: string, note: string, caret: number | null) {
  const ownId = useCurrentUser()?.id
  const mention = caret === null ? null : findTypedMention(note, caret)
  const { data } = useQuery({ ...schoolPeopleQuery(schoolId), enabled: mention !== null })
  const colleagues = data?.people.filter(({ id }) => id !== ownId) ?? []
  return mention === null ? [] : completeMention(note, mention, colleagues)
}

/** A note that fails to save comes back into the field. */
function useNoteDraft(lead: LeadRef) {
  const t = useTranslations('contact.notes')
  const userId = useCurrentUser()?.id ?? ''
  const client = useQueryClient()
  const { kind, id } = lead
  const drafts = useMemo(() => createNoteDrafts(window.sessionStorage, userId), [userId])
  const [text, setText] = useState(() =>
    client.isMutating({ mutationKey: noteMutationKey(lead) }) > 0 ? drafts.read(lead) : drafts.recover(lead),
  )
  useEffect(
    () => drafts.registerField({ kind, id }, (failed) => setText((typed) => joinParagraphs([failed, typed]))),
    [drafts, kind, id],
  )
  const { mutate } = useMutation({
    mutationKey: noteMutationKey(lead),
    // Notes and the user's decisions are sent one after another.
    ...SERIAL_MUTATION,
    mutationFn: (note: string) => api('POST /api/notes', { body: { kind, id, text: note } }),
    onMutate: (note) => drafts.beginSaving(lead, note),
    onSuccess: (_, __, saving) => {
      saving.finish()
      // The mutation is pending until the list has the note, so that the note stays on screen.
      return refreshNotes(client, lead)
    },
    onError: (_, __, saving) => {
      saving?.restore()
      toast(t('failedToSave'), { tone: 'error', isPersistent: true })
    },
  })
  const write = (next: string) => {
    setText(next)
    drafts.write(lead, next)
  }
  const save = () => {
    mutate(text.trim())
    write('')
  }
  return { text, write, save }
}

import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCurrentUser } from '@/components/desk/current-user'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Kbd } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import { SESSION_LOST } from '@/lib/api/send'
import type { LeadRef } from '@/lib/contract/lead'
import { createNoteDrafts, forgetNoteDrafts } from '@/lib/inbox/drafts'
import { inOrder, isSignedOut } from '@/components/triage/send-in-order'
import { api, keyOf } from '@/lib/api/call'
import { refreshNotes } from '@/lib/api/refresh'
import { DECIDING } from '@/lib/api/triage'
import type { Note, NotesAnswer } from '@/lib/contract/notes'
import { MentionList, useMentioning } from './mentioning'

const LONGEST = 5_000

type NoteComposerProps = {
  lead: LeadRef
  /** The lead's, whose staff can be named; without it the staff of one's own schools. */
  school?: string | undefined
  isFocused?: boolean
}

/** Escape leaves the field and keeps the text; Ctrl or Cmd with Enter saves. What fails to save comes back. */
export function NoteComposer({ lead, school, isFocused = false }: NoteComposerProps) {
  const t = useTranslations('contact.notes')
  const { text, write, save, isError } = useDraft(lead)
  const box = useRef<HTMLTextAreaElement>(null)
  const over = text.trim().length - LONGEST
  const maySave = text.trim() !== '' && over <= 0
  const mentioning = useMentioning(school, { id: lead.id, text, write, box })
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentioning.onKey(event)) return
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      box.current?.blur()
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
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
        {...mentioning.attributes}
        value={text}
        autoFocus={isFocused}
        dir="auto"
        rows={1}
        onChange={(event) => write(event.target.value)}
        onSelect={mentioning.onCaret}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-80 min-h-10 w-full resize-none bg-transparent px-3.5 py-2.5 text-base outline-none touch:text-[1rem]"
      />
      <MentionList id={lead.id} {...mentioning} />
      <Foot id={`hint-${lead.id}`} over={over} isError={isError}>
        {text !== '' && <SaveButton disabled={!maySave} onClick={save} />}
      </Foot>
    </div>
  )
}

function SaveButton(props: { disabled: boolean; onClick: () => void }) {
  const t = useTranslations('contact.notes')
  return (
    <Button size="sm" variant="primary" className="-mr-1.5" {...props}>
      {t('save')}
      <Kbd inverted>{'Ctrl ↵'}</Kbd>
    </Button>
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
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    // The next user of this tab must not find the words. They stay in the field, for one's own return.
    const forget = () => forgetNoteDrafts(window.sessionStorage)
    window.addEventListener(SESSION_LOST, forget)
    return () => {
      isHere.current = false
      window.removeEventListener(SESSION_LOST, forget)
    }
  }, [])
  const write = (next: string) => {
    setText(next)
    drafts.write(lead, next)
  }
  const save = () => {
    const kept = drafts.beginSaving(lead, text.trim())
    write('')
    setError(false)
    add(text.trim()).then(kept.saved, (error: unknown) => {
      kept.failed()
      setText(drafts.read(lead))
      setError(true)
      if (isSignedOut(error)) forgetNoteDrafts(window.sessionStorage)
      if (!isHere.current) toast(t('failedToSave'), { tone: 'error', stays: true })
    })
  }
  return { text, write, save, isError }
}

/** A note that the list from the server may not have yet; `isSent` is false until the server has answered. */
export type ShownNote = Note & { isSent: boolean }

const writing = ({ kind, id }: LeadRef) => [...DECIDING, 'note', kind, id]

/** Saves a note, in order with what was decided before it. */
function useAddNote(lead: LeadRef) {
  const client = useQueryClient()
  return {
    isSaving: () => client.isMutating({ mutationKey: writing(lead) }) > 0,
    add: async (text: string): Promise<void> => {
      const body = { kind: lead.kind, id: lead.id, text }
      const run = () => api('POST /api/notes', { body })
      await inOrder(client, { mutationKey: writing(lead), meta: { text }, run, lists: new Set() })
      void forgetShown(client, lead)
    },
  }
}

/** Once the list has it, it is the server's alone: a colleague may delete it. */
async function forgetShown(client: QueryClient, lead: LeadRef): Promise<void> {
  await refreshNotes(client, lead)
  const { kind, id } = lead
  const answer = client.getQueryData<NotesAnswer>(keyOf('GET /api/notes', { query: { kind, id } }))
  const shown = new Set(answer?.notes.map((note) => note.id))
  const written = client.getMutationCache().findAll({ mutationKey: writing(lead), status: 'success' })
  for (const mutation of written)
    if (shown.has((mutation.state.data as Note).id)) client.getMutationCache().remove(mutation)
}

/** The notes of a lead: those of the server, and one's own that are on their way. */
export function useShownNotes(lead: LeadRef, notes: readonly Note[]): readonly ShownNote[] {
  const me = useCurrentUser()
  const own = useMutationState({
    filters: { mutationKey: writing(lead), predicate: ({ state }) => state.status !== 'error' },
    select: ({ mutationId, meta, state }): ShownNote => {
      if (state.status === 'success') return { ...(state.data as Note), isSent: true }
      const author = { id: me?.id ?? '', name: me?.name ?? '' }
      const createdAt = new Date(state.submittedAt).toISOString()
      return { id: `unsent ${mutationId}`, text: String(meta?.['text']), author, createdAt, isSent: false }
    },
  })
  const ids = new Set(notes.map(({ id }) => id))
  return [...notes.map((note) => ({ ...note, isSent: true })), ...own.filter(({ id }) => !ids.has(id))]
}

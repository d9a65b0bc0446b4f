import { type QueryClient, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { inOrder } from '@/components/triage/send-in-order'
import { api, keyOf } from '@/lib/api/call'
import { refreshNotes } from '@/lib/api/refresh'
import { DECIDING } from '@/lib/api/triage'
import type { LeadRef } from '@/lib/contract/lead'
import type { LeadEvent, Note, NotesAnswer } from '@/lib/contract/notes'

/** A note that the list from the server may not have yet; `isSent` is false until the server has answered. */
export type ShownNote = Note & { isSent: boolean }

/** The notes and decisions of a lead, oldest first; undefined until the notes are here. */
export type Thread = { thread: readonly (ShownNote | LeadEvent)[] | undefined; problem: ReactNode }

const writing = ({ kind, id }: LeadRef) => [...DECIDING, 'note', kind, id]

export function useAddNote(lead: LeadRef) {
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

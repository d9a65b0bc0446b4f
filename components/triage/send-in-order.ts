import type { MutationOptions, QueryClient } from '@tanstack/react-query'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import { DECIDING } from '@/lib/api/triage'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Locale } from '@/lib/i18n/locale'
import { type PendingChanges, withFields, workOf } from '@/lib/inbox/pending-changes'
import type { BeforeChange, UndoSteps } from '@/lib/inbox/undo-steps'
import type { createUnsent } from '@/lib/inbox/unsent'
import type { Translate } from './triage-notices'

/** What the user did in this tab: what screens show over the server's answers, and what can be taken back. */
export type OwnChanges = { pending: PendingChanges; steps: UndoSteps; unsent: ReturnType<typeof createUnsent> }

export type TriageParts = OwnChanges & {
  client: QueryClient
  owner: string
  t: Translate
  locale: Locale
}

export type OnUndone = ((leads: readonly LeadRef[]) => void) | undefined

type Sent<Answer> = Pick<MutationOptions<Answer>, 'mutationKey' | 'meta' | 'retry' | 'retryDelay' | 'onSuccess'> & {
  run: () => Promise<Answer>
  /** What is asked again once the last change on its way is through. */
  lists: ReadonlySet<LeadList>
}

/** Decisions, attempts, mails and notes go out one after the other, in the order in which they were made. */
export function inOrder<Answer>(client: QueryClient, { run, lists, ...options }: Sent<Answer>): Promise<Answer> {
  const onSettled = () => {
    // This one still counts.
    if (client.isMutating({ mutationKey: DECIDING }) > 1) return
    setTimeout(() => {
      for (const list of lists) void refreshTriaged(client, list)
      void refreshCounts(client)
    })
  }
  const order = { mutationKey: DECIDING, scope: { id: 'triage' } }
  const sent: MutationOptions<Answer> = { ...order, ...options, mutationFn: run, onSettled }
  return client.getMutationCache().build(client, client.defaultMutationOptions(sent)).execute(undefined)
}

/** What is said of one decision takes the place of what was said of it before; nothing else makes it go. */
let topics = 0
export const nextTopic = () => `${SINGLE} ${++topics}`
export const SINGLE = 'triage'

/** A change of a lead, and its way back, as `createPendingChanges` takes them. */
export function changeOf({ kind, id, triage, item, fields }: BeforeChange) {
  return { kind, id, from: triage.status, item, fields }
}

export function undoChangeOf({ kind, id, triage, item, fields }: BeforeChange) {
  const from = fields.status ?? triage.status
  const before = { ...(item && workOf(item)), ...triage }
  return { kind, id, from, item: item && withFields(item, fields), fields: before }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'unauthenticated'
}

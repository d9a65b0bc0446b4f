import type { Mutation, MutationOptions, QueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { createIdempotencyKey, SERIAL_MUTATION } from '@/lib/api/mutation-options'
import { refreshWhenLast } from '@/lib/api/refresh'
import { mutationRetries } from '@/lib/api/retry'
import { ApiError, toServerTime } from '@/lib/api/send'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { LeadList, LeadRef, Triage } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import type { Colleague } from '@/lib/contract/user'
import type { Locale } from '@/lib/i18n/locale'
import { toLeadRef } from '@/lib/inbox/lead-text'
import { outbox } from '@/lib/inbox/outbox'
import {
  type ChangeAnswer,
  deriveFields,
  invertChange,
  OWN_CHANGE,
  type OwnChange,
  toChangedLead,
  type TriageDecision,
  type TriagedLead,
  updateWork,
} from '@/lib/inbox/own-changes'
import { createNotices, type Translate } from './triage-notices'

/** What notices and undo need besides the request. It is not stored, so a change that outlives a reload lacks it. */
type ChangeMeta = {
  leads: readonly TriagedLead[]
  /** The notice while the change is sent. */
  notice: string
  /** Called to return to the leads when the change was undone, or could not be saved because the session is over. */
  onUndone?: OnUndone | undefined
  /** For a change of many leads: the lead the user was at, to which undo returns. */
  originLead?: LeadRef | undefined
  /** Restores what the change removed elsewhere, such as the draft of a reply, when it fails or is undone. */
  onReverted?: () => void
}

type OnUndone = (leads: readonly LeadRef[]) => void

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { change?: ChangeMeta }
  }
}

export type AttemptToNote = Pick<ChangeMeta, 'notice' | 'onReverted'> & {
  item: LeadItem
  attempt: Omit<NewAttempt, 'kind' | 'id'>
  author: Colleague | null
}

type TriageContext = { client: QueryClient; t: Translate; notices: ReturnType<typeof createNotices> }
type ChangeOptions = MutationOptions<ChangeAnswer, Error, OwnChange>

/** Changes older than this leave the mutation cache, so they can no longer be undone. */
const UNDO_WITHIN_MS = 60 * 60_000

/** Creates the actions that change leads: optimistic mutations, sent in order, with undo. A toast reports a failure. */
export function createTriage(client: QueryClient, t: Translate, locale: Locale) {
  const notices = createNotices(t, locale)
  const context = { client, t, notices }
  // The options are defaults, so that changes that are restored after a reload have them, too.
  client.setMutationDefaults(OWN_CHANGE, {
    ...SERIAL_MUTATION,
    ...mutationRetries,
    gcTime: UNDO_WITHIN_MS,
    mutationFn: async ({ request }) => ({ ...(await post(client, request)), answeredAt: toServerTime(Date.now()) }),
    onSuccess: (answer, change, _, { meta }) => notifySuccess(context, change, answer, meta?.change),
    onError: (error, change, _, { meta }) => handleFailure(context, change, error, meta?.change),
    onSettled: () => refreshWhenLast(client),
  } satisfies ChangeOptions)
  return {
    change: (
      leads: readonly TriagedLead[],
      decision: TriageDecision,
      meta: Pick<ChangeMeta, 'onUndone' | 'originLead'> = {},
    ): void => {
      const undecidedLeads = leads.filter(({ item }) => item === undefined || !isAlreadyDecided(item, decision))
      if (undecidedLeads.length === 0) return
      // Each lead goes with the version on screen, so that another user's change since then is a conflict.
      const versions = undecidedLeads.map(({ kind, id, item }) => ({ kind, id, updatedAt: item?.triage.updatedAt }))
      const optimisticLeads = undecidedLeads.map((lead) => toChangedLead(lead, deriveFields(decision)))
      const request = { kind: 'decide', body: { leads: versions, ...toBody(decision) } } as const
      const change = createChange({ leads: optimisticLeads, decision, request })
      const notice = notices.describeDecision(decision, undecidedLeads)
      void notifyAndSend(context, change, { ...meta, leads: undecidedLeads, notice })
    },

    /** Changes all leads that match. Resolves to whether the server has changed them. */
    changeMatching: (matching: LeadFilter & { list: LeadList }, decision: TriageDecision): Promise<boolean> => {
      const request = { kind: 'decide', body: { matching, ...toBody(decision) } } as const
      const change = createChange({ leads: [], decision, request })
      return notifyAndSend(context, change, { leads: [], notice: t('changing') })
    },

    noteAttempt: ({ item, attempt, author, notice, ...meta }: AttemptToNote, onUndone?: OnUndone): void => {
      const { status, channel, outcome } = attempt
      const lead = { ...toLeadRef(item), item }
      // As on the server, a user who leaves a lead open takes it, unless it is someone else's.
      const isTakenByAuthor = status === 'in-progress' && item.triage.assignee === null && author !== null
      const decision = { ...(status && { status }), ...(isTakenByAuthor && { assignee: author }) }
      const lastAttempt = { at: new Date(toServerTime(Date.now())).toISOString(), by: author, channel, outcome }
      const optimisticLead = toChangedLead(lead, { ...decision, ...updateWork(item, attempt, lastAttempt) })
      const key = createIdempotencyKey()
      const request = { kind: 'attempt', body: { kind: lead.kind, id: lead.id, ...attempt, key } } as const
      const change = createChange({ leads: [optimisticLead], decision, request }, key)
      void notifyAndSend(context, change, { ...meta, leads: [lead], notice: notices.addOfflineNote(notice), onUndone })
    },

    /** Shows at once the decision that is sent with a mail, while the mail still waits in the outbox. */
    applyMailDecision: (lead: LeadRef, item: LeadItem, decision: TriageDecision, whenSent: Promise<boolean>): void => {
      const optimisticLead = toChangedLead({ ...lead, item }, deriveFields(decision))
      const change = createChange({ leads: [optimisticLead], decision, request: { kind: 'mail' } })
      void sendChange(client, change, {
        scope: { id: change.key },
        networkMode: 'always',
        // An unsent mail answers like an undo that restored nothing, so that the decision leaves the screen.
        mutationFn: async () =>
          (await whenSent) ? { answeredAt: toServerTime(Date.now()) } : { answeredAt: 0, restoredCount: 0 },
        // The outbox refreshes the lists once it has sent the mail.
        onSettled: () => {},
      })
    },

    undo: (onUndone?: OnUndone): void => undoChange(context, onUndone),
  }
}

function createChange(change: Omit<OwnChange, 'key' | 'count'>, key = createIdempotencyKey()): OwnChange {
  return { ...change, key, count: change.leads.length }
}

/** Reports what only the server's answer tells: what an undo or a change of all matching leads did, and conflicts. */
function notifySuccess(context: TriageContext, change: OwnChange, answer: ChangeAnswer, meta?: ChangeMeta): void {
  const { notices } = context
  const { request, decision, key } = change
  const { changed = [], conflicts = [] } = answer
  const leads = meta?.leads ?? change.leads
  const undo = createUndoAction(context, meta?.onUndone, key)
  const topic = toTopic(change)
  if (request.kind === 'undo') {
    // Nothing was sent, because the undone change had failed or had changed nothing.
    if (answer.conflictCount === undefined) return
    toast(notices.describeUndo(leads, answer.restoredCount ?? 0, answer.conflictCount), { topic })
  } else if (request.kind === 'decide' && request.body.matching !== undefined) {
    const text = notices.describeMatchingDecision(decision, changed.length, conflicts.length)
    toast(text, { topic, action: answer.undo === null ? undefined : undo })
  } else {
    // A colleague's equal decision is no conflict.
    const differingConflicts = conflicts.filter(({ now }) => !isAlreadyDecided({ triage: now }, decision))
    if (differingConflicts.length === 0) return
    const text = notices.describeConflicts(differingConflicts, leads)
    // Undo is offered for the other leads, which were changed.
    toast(text, { tone: 'error', topic, action: changed.length > 0 ? undo : undefined })
  }
}

function handleFailure(context: TriageContext, change: OwnChange, error: Error, meta?: ChangeMeta): void {
  const { t, notices } = context
  // A change that was restored after a reload has no `meta`.
  const { leads = change.leads, onReverted, onUndone, originLead } = meta ?? {}
  const showFailure = (text: string, action?: { label: string; onClick: () => void }) =>
    toast(text, { tone: 'error', topic: toTopic(change), action })
  if (change.request.kind === 'undo') return showFailure(t('undoFailed'))
  if (change.leads.length === 0) return showFailure(t('bulkFailed'))
  onReverted?.()
  const retry = () => void notifyAndSend(context, change, meta ?? { leads, notice: '' })
  showFailure(notices.describeFailure(leads), { label: t('again'), onClick: retry })
  // After signing in again the user comes back to what could not be saved.
  if (error instanceof ApiError && error.kind === 'unauthenticated') onUndone?.(originLead ? [originLead] : leads)
}

async function post(client: QueryClient, request: OwnChange['request']): Promise<Omit<ChangeAnswer, 'answeredAt'>> {
  switch (request.kind) {
    case 'decide':
      return api('PATCH /api/triage', { body: request.body })
    case 'attempt':
      return { undo: (await api('POST /api/attempts', { body: request.body })).undo }
    case 'undo': {
      const token = findChanges(client).findLast(({ change }) => change.key === request.undoes)?.data?.undo
      if (!token) return { restoredCount: 0 }
      const { restored, conflicts } = await api('POST /api/triage/undo', { body: { undo: token } })
      return { restoredCount: restored, conflictCount: conflicts }
    }
    case 'mail':
      return {}
    default:
      return request satisfies never
  }
}

/** Resolves to whether the server has made the change; `handleFailure` reports a failure. */
function notifyAndSend(context: TriageContext, change: OwnChange, meta: ChangeMeta): Promise<boolean> {
  const { leads, key } = change
  const sending = sendChange(context.client, change, { meta: { change: meta } })
  const action = leads.length > 0 ? createUndoAction(context, meta.onUndone, key) : undefined
  toast(meta.notice, { topic: toTopic(change), action })
  return sending.then(
    () => true,
    () => false,
  )
}

/** Notices of one lead replace each other, because `z` undoes the changes in turn; a notice of many leads stays. */
function toTopic({ count, key, request }: OwnChange): string {
  return count === 1 ? 'triage' : `triage ${request.kind === 'undo' ? request.undoes : key}`
}

function sendChange(client: QueryClient, change: OwnChange, options: ChangeOptions = {}): Promise<ChangeAnswer> {
  const mutation = client.defaultMutationOptions({ mutationKey: OWN_CHANGE, ...options })
  return client.getMutationCache().build(client, mutation).execute(change)
}

function createUndoAction(context: TriageContext, onUndone: OnUndone | undefined, key: string) {
  return { label: context.t('undo'), onClick: () => undoChange(context, onUndone, key) }
}

/** Undoes the change with this key, or the user's last one, which may be a mail in the outbox. */
function undoChange({ client, t }: TriageContext, onUndone?: OnUndone, key?: string): void {
  const sentChanges = findChanges(client).filter(({ status, data }) => status !== 'error' && data?.undo !== null)
  const undoneKeys = new Set(
    sentChanges.map(({ change: { request } }) => (request.kind === 'undo' ? request.undoes : null)),
  )
  const undoableChanges = sentChanges.filter(
    ({ change }) => ['decide', 'attempt'].includes(change.request.kind) && !undoneKeys.has(change.key),
  )
  const target = key === undefined ? undoableChanges.at(-1) : undoableChanges.find(({ change }) => change.key === key)
  if (key === undefined && outbox.takeBackLast(target?.submittedAt ?? 0)) return
  if (target === undefined) return toast(t('nothingToUndo'))
  const { change, meta } = target
  meta?.onReverted?.()
  onUndone?.(meta?.originLead ? [meta.originLead] : change.leads)
  const leads = change.leads.flatMap((lead) => invertChange(lead) ?? [])
  const request = { kind: 'undo', undoes: change.key } as const
  const undo: OwnChange = { ...change, key: createIdempotencyKey(), leads, request }
  // A failure is shown by the mutation itself.
  sendChange(client, undo, meta && { meta: { change: meta } }).catch(() => {})
}

/** Returns all changes of this tab, undos included, oldest first. */
function findChanges(client: QueryClient) {
  const mutations: unknown[] = client.getMutationCache().findAll({ mutationKey: OWN_CHANGE })
  return (mutations as Mutation<ChangeAnswer, Error, OwnChange>[]).flatMap(({ state, meta }) =>
    state.variables === undefined ? [] : { ...state, change: state.variables, meta: meta?.change },
  )
}

/** A conflict carries no `snoozeUntil`, so a decision that sets it always counts as a conflict. */
function isAlreadyDecided(lead: { triage: Triage; snoozeUntil?: string | null }, decision: TriageDecision): boolean {
  const { status, assignee, snoozeUntil } = decision
  return (
    (status === undefined || status === lead.triage.status) &&
    (assignee === undefined || assignee?.id === lead.triage.assignee?.id) &&
    (snoozeUntil === undefined || snoozeUntil === lead.snoozeUntil)
  )
}

function toBody({ assignee, ...decision }: TriageDecision) {
  return { ...decision, ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }) }
}

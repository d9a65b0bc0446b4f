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

/** Creates the actions that change leads: optimistic mutations, sent in order, with undo. A toast reports a failure. */
export function createTriage(client: QueryClient, t: Translate, locale: Locale) {
  const notices = createNotices(t, locale)
  const context = { client, t, notices }
  client.setMutationDefaults(OWN_CHANGE, changeOptions(context))
  return {
    change: (
      leads: readonly TriagedLead[],
      decision: TriageDecision,
      meta: Pick<ChangeMeta, 'onUndone' | 'originLead'> = {},
    ): void => {
      const changing = leads.filter(({ item }) => item === undefined || !isAlreadyDecided(item, decision))
      if (changing.length === 0) return
      // Each lead goes with the version on screen, so that another user's change since then is a conflict.
      const versions = changing.map(({ kind, id, item }) => ({ kind, id, updatedAt: item?.triage.updatedAt }))
      const change: OwnChange = {
        key: createIdempotencyKey(),
        leads: changing.map((lead) => toChangedLead(lead, deriveFields(decision))),
        count: changing.length,
        decision,
        request: { kind: 'decide', body: { leads: versions, ...toBody(decision) } },
      }
      const notice = notices.writeDecided(decision, changing)
      void notifyAndSend(context, change, { ...meta, leads: changing, notice })
    },

    /** Changes all leads that match. Resolves to whether the server has changed them. */
    changeMatching: (matching: LeadFilter & { list: LeadList }, decision: TriageDecision): Promise<boolean> => {
      const request = { kind: 'decide', body: { matching, ...toBody(decision) } } as const
      const change = { key: createIdempotencyKey(), leads: [], count: 0, decision, request }
      return notifyAndSend(context, change, { leads: [], notice: t('inbox.triage.changing') })
    },

    noteAttempt: ({ item, attempt, author: by, notice, ...meta }: AttemptNote, onUndone?: OnUndone): void => {
      const { status, channel, outcome } = attempt
      const lead = toLeadRef(item)
      // As on the server, a user who leaves a lead open takes it, unless it is someone else's.
      const isTaken = status === 'in-progress' && item.triage.assignee === null && by !== null
      const decision = { ...(status && { status }), ...(isTaken && { assignee: by }) }
      const now = { at: new Date().toISOString(), by, channel, outcome }
      const key = createIdempotencyKey()
      const change: OwnChange = {
        key,
        leads: [toChangedLead({ ...lead, item }, { ...decision, ...updateWork(item, attempt, now) })],
        count: 1,
        decision,
        request: { kind: 'attempt', body: { ...lead, ...attempt, key } },
      }
      const texts = { ...meta, notice: notices.writeAttempt(notice) }
      void notifyAndSend(context, change, { ...texts, leads: [{ ...lead, item }], onUndone })
    },

    /** Shows at once the decision that is sent with a mail, while the mail still waits in the outbox. */
    applyMailDecision: (lead: LeadRef, item: LeadItem, decision: TriageDecision, whenSent: Promise<boolean>): void => {
      const leads = [toChangedLead({ ...lead, item }, deriveFields(decision))]
      const change: OwnChange = { key: createIdempotencyKey(), leads, count: 1, decision, request: { kind: 'mail' } }
      void sendChange(client, change, {
        scope: { id: change.key },
        networkMode: 'always',
        mutationFn: async () =>
          (await whenSent) ? { answeredAt: toServerTime(Date.now()) } : { answeredAt: 0, restored: 0 },
        onSettled: () => {},
      })
    },

    undo: (onUndone?: OnUndone): void => undoChange(context, onUndone),
  }
}

/** What notices and undo need besides what is sent. It is not stored, so it is lost with the page. */
type ChangeMeta = {
  /** The leads with their names, for the notices. */
  leads: readonly TriagedLead[]
  /** The notice while the change is sent, and the one after it was undone. */
  notice: string
  undoneNotice?: string
  /** Called to return to the leads when the change was undone, or could not be saved because the session is over. */
  onUndone?: OnUndone
  /** For a change of many leads: the lead the user was at, to which undo returns. */
  originLead?: LeadRef | undefined
  /** Restores what the change removed elsewhere, such as the draft of a reply, when it fails or is undone. */
  onReverted?: () => void
  /** The notice when an attempt that has happened could not be noted. */
  failureNotice?: string
}

type OnUndone = ((leads: readonly LeadRef[]) => void) | undefined

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { change?: ChangeMeta }
  }
}

export type AttemptNote = Pick<ChangeMeta, 'failureNotice' | 'onReverted'> & {
  item: LeadItem
  attempt: Omit<NewAttempt, 'kind' | 'id'>
  author: Colleague | null
  notice: string
  undoneNotice: string
}

type TriageContext = { client: QueryClient; t: Translate; notices: ReturnType<typeof createNotices> }
type ChangeOptions = MutationOptions<ChangeAnswer, Error, OwnChange>

/** The key `z` undoes no change older than this. */
const UNDO_WITHIN_MS = 60 * 60_000

/** A notice of one change replaces the one before, because `z` undoes them in turn. One of many leads stays. */
const SINGLE_GROUP = 'triage'
const toChangeTopic = (key: string) => `${SINGLE_GROUP} ${key}`

/** The options of every change. They are mutation defaults, so that changes restored after a reload have them, too. */
function changeOptions(context: TriageContext) {
  const { client, t, notices } = context
  return {
    ...SERIAL_MUTATION,
    ...mutationRetries,
    gcTime: UNDO_WITHIN_MS,
    mutationFn: async ({ request }) => ({ ...(await post(client, request)), answeredAt: toServerTime(Date.now()) }),
    onSuccess: (answer, change, _, { meta }) => {
      const { request, decision, key } = change
      const { changed = [], conflicts = [], restored = 0, lost: notRestored } = answer
      const { leads = change.leads, undoneNotice, onUndone } = meta?.change ?? {}
      const action = undoAction(context, onUndone, key)
      if (request.kind === 'undo') {
        // Nothing was sent: the change had failed, or had changed nothing.
        if (notRestored === undefined) return
        const isWhole = restored > 0 && notRestored === 0
        const text = (isWhole && undoneNotice) || notices.writeUndone(change, leads, restored, notRestored)
        toast(text, { topic: toChangeTopic(request.undoes) })
      } else if (request.kind === 'decide' && request.body.matching !== undefined) {
        const text = notices.writeDecidedMatching(decision, changed.length, conflicts.length)
        toast(text, { topic: toChangeTopic(key), ...(answer.undo !== null && { action }) })
      } else {
        const lost = conflicts.filter(({ now }) => !isAlreadyDecided({ triage: now }, decision))
        if (lost.length === 0) return
        // The leads that were changed can still be undone.
        const options = { tone: 'error', topic: toChangeTopic(key), ...(changed.length > 0 && { action }) } as const
        toast(notices.writeConflicts(decision, lost, leads), options)
      }
    },
    onError: (error, change, _, { meta }) => {
      const changeMeta: ChangeMeta = meta?.change ?? { leads: change.leads, notice: '' }
      const { leads, failureNotice, onReverted, onUndone, originLead } = changeMeta
      const showFailure = (text: string, action?: { label: string; onClick: () => void }) =>
        toast(text, { tone: 'error', topic: toChangeTopic(change.key), action })
      if (change.request.kind === 'undo') return showFailure(t('inbox.triage.undoFailed'))
      if (change.leads.length === 0) return showFailure(t('inbox.triage.bulkFailed'))
      onReverted?.()
      const retry = () => void notifyAndSend(context, change, changeMeta)
      showFailure(failureNotice ?? notices.writeFailed(leads), { label: t('inbox.triage.again'), onClick: retry })
      // After signing in again the user comes back to what could not be saved.
      if (error instanceof ApiError && error.kind === 'unauthenticated') onUndone?.(originLead ? [originLead] : leads)
    },
    onSettled: () => refreshWhenLast(client),
  } satisfies ChangeOptions
}

async function post(client: QueryClient, request: OwnChange['request']): Promise<Omit<ChangeAnswer, 'answeredAt'>> {
  switch (request.kind) {
    case 'decide':
      return api('PATCH /api/triage', { body: request.body })
    case 'attempt':
      return { undo: (await api('POST /api/attempts', { body: request.body })).undo }
    case 'undo': {
      const token = findChanges(client).findLast(({ change }) => change.key === request.undoes)?.data?.undo
      if (!token) return { restored: 0 }
      const { restored, conflicts } = await api('POST /api/triage/undo', { body: { undo: token } })
      return { restored, lost: conflicts }
    }
    case 'mail':
      return {}
    default:
      return request satisfies never
  }
}

/** Resolves to whether the server has made the change; if not, a notice says so. */
function notifyAndSend(context: TriageContext, change: OwnChange, meta: ChangeMeta): Promise<boolean> {
  const sent = sendChange(context.client, change, { meta: { change: meta } })
  toast(meta.notice, {
    topic: toChangeTopic(change.key),
    ...(change.leads.length > 0 && { action: undoAction(context, meta.onUndone, change.key) }),
    ...(change.leads.length === 1 && { group: SINGLE_GROUP }),
  })
  return sent.then(
    () => true,
    () => false,
  )
}

function sendChange(client: QueryClient, change: OwnChange, options: ChangeOptions = {}): Promise<ChangeAnswer> {
  const mutation = client.defaultMutationOptions({ mutationKey: OWN_CHANGE, ...options })
  return client.getMutationCache().build(client, mutation).execute(change)
}

function undoAction(context: TriageContext, onUndone: OnUndone, key: string) {
  return { label: context.t('inbox.triage.undo'), onClick: () => undoChange(context, onUndone, key) }
}

/** Undoes this change, or the user's last one, which may be a mail in the outbox. Later changes of others stay. */
function undoChange({ client, t }: TriageContext, onUndone: OnUndone, key?: string): void {
  const undoable = findChanges(client).filter(({ status, data }) => status !== 'error' && data?.undo !== null)
  const undone = new Set(undoable.flatMap(({ change: { request } }) => (request.kind === 'undo' ? request.undoes : [])))
  const steps = undoable.filter(
    ({ change }) => ['decide', 'attempt'].includes(change.request.kind) && !undone.has(change.key),
  )
  const step = key === undefined ? steps.at(-1) : steps.find(({ change }) => change.key === key)
  if (key === undefined && outbox.takeBackLast(step?.submittedAt ?? 0)) return
  if (step === undefined) return toast(t('inbox.triage.nothingToUndo'))
  const { change, meta } = step
  meta?.onReverted?.()
  onUndone?.(meta?.originLead ? [meta.originLead] : change.leads)
  const leads = change.leads.flatMap((lead) => invertChange(lead) ?? [])
  const request = { kind: 'undo', undoes: change.key } as const
  const undo: OwnChange = { ...change, key: createIdempotencyKey(), leads, request }
  sendChange(client, undo, meta && { meta: { change: meta } }).catch(() => {})
}

/** Returns all changes of this tab, oldest first. */
function findChanges(client: QueryClient) {
  const mutations: unknown[] = client.getMutationCache().findAll({ mutationKey: OWN_CHANGE })
  return (mutations as Mutation<ChangeAnswer, Error, OwnChange>[]).flatMap(({ state, meta }) =>
    state.variables === undefined ? [] : { ...state, change: state.variables, meta: meta?.change },
  )
}

/** Whether the lead is as decided; never for `snoozeUntil`, which a conflict does not tell. */
function isAlreadyDecided(now: { triage: Triage; snoozeUntil?: string | null }, decision: TriageDecision): boolean {
  const { status, assignee, snoozeUntil } = decision
  return (
    (status === undefined || status === now.triage.status) &&
    (assignee === undefined || assignee?.id === now.triage.assignee?.id) &&
    (snoozeUntil === undefined || snoozeUntil === now.snoozeUntil)
  )
}

function toBody({ assignee, ...decision }: TriageDecision) {
  return { ...decision, ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }) }
}

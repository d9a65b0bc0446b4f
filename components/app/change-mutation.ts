import type { MutationOptions, QueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { refreshWhenLast } from '@/lib/api/refresh'
import { ApiError, serverTime } from '@/lib/api/send'
import { decisionRetries, IN_ORDER, onceKey } from '@/lib/api/triage'
import type { LeadRef, Triage } from '@/lib/contract/lead'
import {
  changedBack,
  type ChangeAnswer,
  type OwnChange,
  type TriageDecision,
  type TriagedLead,
  OWN_CHANGE,
} from '@/lib/inbox/own-changes'
import type { Locale } from '@/lib/i18n/locale'
import { createNotices, type Translate } from './triage-notices'
import { changesIn, undoableChanges } from './undoable-changes'

export type OnUndone = ((leads: readonly LeadRef[]) => void) | undefined

/** What the screen knows of a change besides what is sent; it ends with the page. */
export type ChangeMeta = {
  /** With names, for the notices. */
  leads: readonly TriagedLead[]
  said: string
  /** Goes back to the leads: the change was taken back, or the session is over and nothing was saved. */
  onUndone?: OnUndone
  /** Of many at once: the lead that the user was at, which is gone back to. */
  from?: LeadRef | undefined
  undone?: string | undefined
  /** Brings back what the change took away besides, as the text that was handed over. */
  onTakenBack?: (() => void) | undefined
  /** Where what has happened all the same could not be noted: what is said, and what comes back instead. */
  notNoted?: { said: string; bringBack: () => void } | undefined
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { change?: ChangeMeta; text?: string }
  }
}

export type ChangeOptions = MutationOptions<ChangeAnswer, Error, OwnChange>

/** `z` goes back no further. */
const UNDO_WITHIN_MS = 60 * 60_000

/** Notices of single changes replace each other: the way back from those before is the same key. That from many stays. */
const SINGLE = 'triage'
const topicOf = (key: string) => `${SINGLE} ${key}`

/** How every change is sent and what is said of its answer, also after a reload. */
export function changeMutation(client: QueryClient, t: Translate, locale: Locale) {
  const notices = createNotices(t, locale)
  const onSuccess: ChangeOptions['onSuccess'] = (answer, change, _, { meta }) => {
    const { request, decision, count, key } = change
    const { changed = [], conflicts = [], undo: token, restored = 0, lost: notRestored } = answer
    const { leads = change.leads, undone, onUndone } = meta?.change ?? {}
    const action = { label: t('inbox.triage.undo'), onClick: () => undoChange(client, t, onUndone, key) }
    if (request.kind === 'undo') {
      if (notRestored === undefined) return
      const isWhole = restored > 0 && notRestored === 0
      const said = notices.undone({ decision, count, leads, was: change.leads[0]?.fields }, restored, notRestored)
      toast((isWhole && undone) || said, { topic: topicOf(request.undoes) })
    } else if (request.kind === 'decide' && request.body.matching !== undefined) {
      const done = notices.done(decision, changed.length, undefined)
      const said = notices.changed(done, changed.length, conflicts.length)
      toast(said, { topic: topicOf(key), ...(token !== null && { action }) })
    } else {
      const lost = conflicts.filter(({ now }) => !isAsDecided({ triage: now }, decision))
      // Of those that were changed the way back stays.
      const wayBack = changed.length > 0 && { action }
      if (lost.length > 0)
        toast(notices.lost(decision, lost, leads), { tone: 'error', topic: topicOf(key), ...wayBack })
    }
  }
  const onError: ChangeOptions['onError'] = (error, change, _, { meta }) => {
    const { leads = change.leads, notNoted, onTakenBack, onUndone, from, said = '' } = meta?.change ?? {}
    const topic = topicOf(change.key)
    if (change.request.kind === 'undo') return toast(t('inbox.triage.undoFailed'), { tone: 'error', topic })
    if (change.leads.length === 0) return toast(t('inbox.triage.bulkFailed'), { tone: 'error', topic })
    const bringBack = notNoted?.bringBack ?? onTakenBack
    bringBack?.()
    const again = () => void sayAndSubmit(client, t, change, meta?.change ?? { leads, said })
    const action = { label: t('inbox.triage.again'), onClick: again }
    toast(notNoted?.said ?? notices.failed(leads), { tone: 'error', topic, action })
    // The way back after signing in again leads to what could not be saved.
    if (error instanceof ApiError && error.kind === 'unauthenticated') onUndone?.(from ? [from] : leads)
  }
  return {
    ...IN_ORDER,
    ...decisionRetries,
    gcTime: UNDO_WITHIN_MS,
    mutationFn: async ({ request }) => ({ ...(await send(client, request)), answeredAt: serverTime(Date.now()) }),
    onSuccess,
    onError,
    onSettled: () => refreshWhenLast(client),
  } satisfies ChangeOptions
}

async function send(client: QueryClient, request: OwnChange['request']): Promise<Omit<ChangeAnswer, 'answeredAt'>> {
  switch (request.kind) {
    case 'decide':
      return api('PATCH /api/triage', { body: request.body })
    case 'attempt':
      return { undo: (await api('POST /api/attempts', { body: request.body })).undo }
    case 'undo': {
      const change = changesIn(client).findLast(({ state }) => state.variables?.key === request.undoes)
      const token = change?.state.data?.undo
      // The change had failed, or nothing came of it.
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

export function submitChange(
  client: QueryClient,
  change: OwnChange,
  meta?: ChangeMeta,
  options: ChangeOptions = {},
): Promise<ChangeAnswer> {
  const wanted = { mutationKey: OWN_CHANGE, ...(meta && { meta: { change: meta } }), ...options }
  return client.getMutationCache().build(client, client.defaultMutationOptions(wanted)).execute(change)
}

/** Answers whether the change came through; a notice has said so if not. */
export async function sayAndSubmit(
  client: QueryClient,
  t: Translate,
  change: OwnChange,
  meta: ChangeMeta,
): Promise<boolean> {
  const undo = { label: t('inbox.triage.undo'), onClick: () => undoChange(client, t, meta.onUndone, change.key) }
  const sent = submitChange(client, change, meta)
  toast(meta.said, {
    topic: topicOf(change.key),
    ...(change.leads.length > 0 && { action: undo }),
    ...(change.leads.length === 1 && { replaces: SINGLE }),
  })
  try {
    await sent
    return true
  } catch {
    return false
  }
}

/** Takes back a certain change, or else the last. What a colleague has changed since stays. */
export function undoChange(client: QueryClient, t: Translate, onUndone?: OnUndone, key?: string): void {
  const steps = undoableChanges(client)
  const step = key === undefined ? steps.at(-1) : steps.find(({ state }) => state.variables?.key === key)
  const change = step?.state.variables
  if (step === undefined || change === undefined) return toast(t('inbox.triage.nothingToUndo'))
  const meta = step.meta?.change
  meta?.onTakenBack?.()
  onUndone?.(meta?.from ? [meta.from] : change.leads)
  const leads = change.leads.flatMap((lead) => changedBack(lead) ?? [])
  const request = { kind: 'undo', undoes: change.key } as const
  submitChange(client, { ...change, key: onceKey(), leads, request }, meta).catch(() => {})
}

/** A conflict does not say until when the lead is put aside. */
export function isAsDecided(now: { triage: Triage; snoozeUntil?: string | null }, decision: TriageDecision): boolean {
  const { status, assignee, snoozeUntil } = decision
  return (
    (status === undefined || status === now.triage.status) &&
    (assignee === undefined || assignee?.id === now.triage.assignee?.id) &&
    (snoozeUntil === undefined || snoozeUntil === now.snoozeUntil)
  )
}

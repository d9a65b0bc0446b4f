import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { TRIAGE_MUTATION } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import type { AttemptAnswer, NewAttempt } from '@/lib/contract/attempts'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Locale } from '@/lib/i18n/locale'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import type { TriageHistory, UndoStep } from '@/lib/inbox/triage-history'
import { showTriage } from './show-triage'
import { showWork, workAfter, workOf } from './show-work'
import { createNotices, untilOnline, type Words } from './triage-notices'

/** What somebody did about a lead, and what is said of it. */
export type Attempted = {
  item: LeadItem
  attempt: Omit<NewAttempt, 'kind' | 'id'>
  /** Who did it. */
  by: { id: string; name: string } | null
  said: string
  /** Said when it is taken back. */
  undone: string
  /** Where what has happened all the same could not be noted: what is said, and what comes back instead. */
  notNoted?: { said: string; bringBack: () => void } | undefined
  /** Brings back what it took away besides, as the text that was handed over. */
  onTakenBack?: (() => void) | undefined
}

type Parts = { client: QueryClient; history: TriageHistory; t: Words; locale: Locale }
/** What all decisions share. */
type Shared = {
  nextTopic: () => string
  replaces: string
  undo: (onUndone: ((leads: readonly LeadRef[]) => void) | undefined, step: UndoStep) => void
  refresh: (client: QueryClient, lists: ReadonlySet<LeadList>) => void
}

/** Notes attempts as decisions are made: at once on screen, in the same order on the server, and with a way back. */
export function createAttempts({ client, history, t, locale }: Parts, { nextTopic, replaces, undo, refresh }: Shared) {
  return function note(attempted: Attempted, onUndone?: (leads: readonly LeadRef[]) => void): void {
    const { item, attempt, by, said, undone, onTakenBack } = attempted
    const lead: LeadRef = { kind: isQuestion(item) ? 'asked-question' : 'declaration-of-interest', id: item.id }
    const before = [{ ...lead, triage: item.triage }]
    const decision = attempt.status === undefined ? {} : { status: attempt.status }
    const now = { at: new Date().toISOString(), by, channel: attempt.channel, outcome: attempt.outcome }
    showTriage(client, [{ ...lead, triage: { ...item.triage, ...decision } }], { before: [item.triage], decision })
    showWork(client, lead, workAfter(item, attempt, now))
    const only = { ...lead, triage: item.triage, name: nameOf(item) }
    const topic = nextTopic()
    const waits = untilOnline(t, locale, { only, decision: { ...decision, ...untilDay(attempt) } })
    let isSaid = waits === undefined
    const putBack = (bringBack = onTakenBack) => {
      isSaid = true
      showWork(client, lead, workOf(item))
      bringBack?.()
    }
    const failed = (error: unknown) => {
      history.steps.take(step)
      showTriage(client, before)
      putBack(attempted.notNoted?.bringBack)
      const action = { label: t('inbox.triage.again'), onClick: () => note(attempted, onUndone) }
      toast(attempted.notNoted?.said ?? createNotices(t, locale).failed([only]), { tone: 'error', topic, action })
      if (error instanceof ApiError && error.kind === 'unauthenticated') onUndone?.(before)
      return null
    }
    const token = send(client, { ...lead, ...attempt }, () =>
      refresh(client, new Set([LISTS_BY_KIND[lead.kind].list])),
    ).then(({ undo: name }) => {
      // The answer does not tell the version that it made.
      history.versions.forget(before)
      if (!isSaid) say(said)
      return name
    }, failed)
    const step: UndoStep = { before, token, decision, count: 1, only, topic, undone, onTakenBack: () => putBack() }
    history.steps.add(step)
    const takeBack = { label: t('inbox.triage.undo'), onClick: () => undo(onUndone, step) }
    const say = (text: string) => toast(text, { topic, replaces, action: takeBack })
    say(waits ?? said)
  }
}

/** Called again on a day, the lead is put aside until then. */
function untilDay({ snoozeUntil }: Attempted['attempt']) {
  return snoozeUntil ? { snoozeUntil } : {}
}

/** In the order of all that is decided. Not tried again by itself: what may have come through would be noted twice. */
function send(client: QueryClient, attempt: NewAttempt, onSettled: () => void): Promise<AttemptAnswer> {
  const observer = new MutationObserver<AttemptAnswer, Error, NewAttempt>(client, {
    mutationKey: TRIAGE_MUTATION,
    scope: { id: 'triage' },
    mutationFn: (body) => api('POST /api/attempts', { body }),
    onSettled,
  })
  return observer.mutate(attempt)
}

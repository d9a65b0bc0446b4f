import type { QueryClient } from '@tanstack/react-query'
import { inOrder } from '@/lib/api/refresh'
import { serverTime } from '@/lib/api/send'
import { onceKey } from '@/lib/api/triage'
import type { LeadItem } from '@/lib/api/leads'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import type { Colleague } from '@/lib/contract/user'
import type { Locale } from '@/lib/i18n/locale'
import { kindOf } from '@/lib/inbox/lead-text'
import {
  changedLead,
  fieldsAfter,
  OWN_CHANGE,
  type OwnChange,
  type TriageDecision,
  type TriagedLead,
  workAfter,
} from '@/lib/inbox/own-changes'
import {
  changeMutation,
  type ChangeMeta,
  type ChangeOptions,
  isAsDecided,
  type OnUndone,
  sayAndSubmit,
  submitChange,
  undoChange,
} from './change-mutation'
import { createNotices, type Translate } from './triage-notices'

export type Attempted = Pick<ChangeMeta, 'notNoted' | 'onTakenBack'> & {
  item: LeadItem
  attempt: Omit<NewAttempt, 'kind' | 'id'>
  by: Colleague | null
  said: string
  undone: string
}

type DecisionOptions = Pick<ChangeMeta, 'onUndone' | 'from'>

/** What a user does about leads: at once on screen, then sent in order, each with a way back. A toast says what failed. */
export function createTriage(client: QueryClient, t: Translate, locale: Locale) {
  const notices = createNotices(t, locale)
  client.setMutationDefaults(OWN_CHANGE, changeMutation(client, t, locale))
  return {
    change: (leads: readonly TriagedLead[], decision: TriageDecision, options: DecisionOptions = {}): void => {
      const changing = leads.filter(({ item }) => item === undefined || !isAsDecided(item, decision))
      if (changing.length === 0) return
      const change: OwnChange = {
        key: onceKey(),
        leads: changing.map((lead) => changedLead(lead, fieldsAfter(decision))),
        count: changing.length,
        decision,
        request: { kind: 'decide', body: { leads: changing.map(versionOf), ...bodyOf(decision) } },
      }
      void sayAndSubmit(client, t, change, { ...options, leads: changing, said: notices.decided(decision, changing) })
    },

    /** About all that match, by the server. Answers whether it came through. */
    changeMatching: (matching: LeadFilter & { list: LeadList }, decision: TriageDecision): Promise<boolean> => {
      const body = { matching, ...bodyOf(decision) }
      const change = { key: onceKey(), leads: [], count: 0, decision, request: { kind: 'decide', body } } as const
      return sayAndSubmit(client, t, change, { leads: [], said: t('inbox.triage.changing') })
    },

    note: ({ item, attempt, by, said, ...meta }: Attempted, onUndone?: OnUndone): void => {
      const { status, channel, outcome } = attempt
      const lead = { kind: kindOf(item), id: item.id }
      // As the server decides it: a user who leaves a lead open has it, unless somebody else has.
      const isTaken = status === 'in-progress' && item.triage.assignee === null && by !== null
      const decision = { ...(status && { status }), ...(isTaken && { assignee: by }) }
      const now = { at: new Date().toISOString(), by, channel, outcome }
      const key = onceKey()
      const change: OwnChange = {
        key,
        leads: [changedLead({ ...lead, item }, { ...decision, ...workAfter(item, attempt, now) })],
        count: 1,
        decision,
        request: { kind: 'attempt', body: { ...lead, ...attempt, key } },
      }
      void sayAndSubmit(client, t, change, { ...meta, leads: [{ ...lead, item }], said: notices.noted(said), onUndone })
    },

    /** Shows at once what is decided with a mail that leaves in a few seconds; that it was sent shows only when it was. */
    mail: (lead: LeadRef, item: LeadItem, decision: TriageDecision) => {
      const leads = [changedLead({ ...lead, item }, fieldsAfter(decision))]
      const change: OwnChange = { key: onceKey(), leads, count: 1, decision, request: { kind: 'mail' } }
      let settle: (isSent: boolean) => void = () => {}
      const isSent = new Promise<boolean>((resolve) => (settle = resolve))
      const showWhileSending: ChangeOptions = {
        scope: { id: change.key },
        networkMode: 'always',
        mutationFn: async () => ((await isSent) ? { answeredAt: serverTime(Date.now()) } : NOTHING_CHANGED),
        onSettled: () => {},
      }
      void submitChange(client, change, undefined, showWhileSending)
      return {
        takeBack: () => settle(false),
        send: async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
          try {
            const answer = await inOrder(client, { mutationFn: run })
            settle(true)
            return answer
          } catch (error) {
            settle(false)
            throw error
          }
        },
      }
    },

    undo: (onUndone?: OnUndone): void => undoChange(client, t, onUndone),
  }
}

const NOTHING_CHANGED = { answeredAt: 0, restored: 0 }

/** With the version on screen, so that another user's change since then is a conflict. */
function versionOf({ kind, id, item }: TriagedLead) {
  return { kind, id, ...(item && { updatedAt: item.triage.updatedAt }) }
}

function bodyOf({ status, assignee, snoozeUntil }: TriageDecision) {
  return {
    ...(snoozeUntil !== undefined && { snoozeUntil }),
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }),
  }
}

import type { MutationState } from '@tanstack/react-query'
import type { LeadItem, LeadPage } from '@/lib/api/leads'
import type { WithRequestTime } from '@/lib/api/send'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { Attempt, Contact, ContactLead, LeadRef, LeadWork, Triage } from '@/lib/contract/lead'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import type { TriageAnswer, TriageChange } from '@/lib/contract/triage'
import { groupBy } from '@/lib/group-by'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { toLeadKey } from './lead-text'

export const OWN_CHANGE = ['own-change'] as const
/** A tab stores under this key what the server may not have yet. */
export const UNSENT_KEY = 'intag:unsent'

export type TriageDecision = Partial<Pick<Triage, 'status' | 'assignee'>> & { snoozeUntil?: string | null }

/** `item` is the lead as on screen, if it is loaded. */
export type TriagedLead = LeadRef & { item?: LeadItem | undefined }

export type LeadFields = TriageDecision & Partial<Pick<Triage, 'updatedAt' | 'updatedBy'>> & Partial<LeadWork>

/** Counts and undo need these fields, none of which names a person. */
export type LeadFacts = Pick<LeadItem, 'highSchoolId' | 'seenAt' | 'triage'> & LeadWork

/** A lead is shown with `fields` until the server's answer contains them. `before` is null if it was not loaded. */
type ChangedLead = LeadRef & { before: LeadFacts | null; fields: LeadFields }

/** The variables of one mutation. They survive a reload in the tab's storage, so they name no person. */
export type OwnChange = {
  key: string
  leads: readonly ChangedLead[]
  count: number
  decision: TriageDecision
  request:
    | { kind: 'decide'; body: TriageChange }
    | { kind: 'attempt'; body: NewAttempt }
    | { kind: 'undo'; undoes: string }
    /** The outbox sends the mail, so this change is only shown. */
    | { kind: 'mail' }
}

/** `answeredAt` is by the server's clock (ms). An undo restores leads, except those that others have changed since. */
export type ChangeAnswer = Partial<TriageAnswer> & {
  restoredCount?: number
  conflictCount?: number
  answeredAt: number
}

export type ChangeState = Pick<MutationState<ChangeAnswer, Error, OwnChange>, 'status' | 'variables' | 'data'>

/** `answer` is null until the server has answered; `version` is then the lead's `updatedAt`, if the answer has it. */
type TrackedChange = ChangedLead & { answer: { answeredAt: number; version: string | null } | null }

export type OwnChanges = { changes: readonly TrackedChange[]; byLead: ReadonlyMap<LeadKey, readonly TrackedChange[]> }

export const NO_CHANGES: OwnChanges = { changes: [], byLead: new Map() }

/** Collects the changes of all mutations, oldest first, without failed ones and undos that restored nothing. */
export function collectOwnChanges(states: readonly ChangeState[]): OwnChanges {
  const changes = states.flatMap(({ status, variables, data }): TrackedChange[] => {
    if (variables === undefined || status === 'error' || data?.restoredCount === 0) return []
    const changed = new Map<LeadKey, LeadFields>(data?.changed?.map((lead) => [leadKey(lead), lead.after]))
    const conflicts = new Map<LeadKey, LeadFields>(data?.conflicts?.map((lead) => [leadKey(lead), lead.now]))
    return variables.leads.map((lead) => {
      const after = changed.get(leadKey(lead))
      const now = conflicts.get(leadKey(lead))
      const version = now?.updatedAt ?? after?.updatedAt ?? null
      const answer = data === undefined ? null : { answeredAt: data.answeredAt, version }
      return { ...lead, fields: now ?? { ...lead.fields, ...after }, answer }
    })
  })
  return changes.length === 0 ? NO_CHANGES : { changes, byLead: groupBy(changes, leadKey) }
}

/** Instances inform each other of changes by message; after this time every instance has received them. */
const PROPAGATION_MS = 30_000

/** Applies the changes that an answer is too old to contain. An answer with a change also has the ones before. */
export function patchLead<Item extends LeadItem>(own: OwnChanges, item: Item, { requestedAt }: WithRequestTime): Item {
  const changes = own.byLead.get(toLeadKey(item)) ?? []
  const updatedAt = Date.parse(item.triage.updatedAt ?? '')
  const lastIncludedIndex = changes.findLastIndex(({ answer }) => {
    if (answer === null) return false
    if (answer.version === null) return answer.answeredAt <= requestedAt
    return updatedAt >= Date.parse(answer.version) || answer.answeredAt + PROPAGATION_MS <= requestedAt
  })
  return changes.slice(lastIncludedIndex + 1).reduce((patched, { fields }) => applyFields(patched, fields), item)
}

export function patchPage(own: OwnChanges, page: LeadPage): LeadPage {
  const items = page.items.map((item) => patchLead(own, item, page))
  return items.every((item, index) => item === page.items[index]) ? page : { ...page, items }
}

export function patchContact(own: OwnChanges, contact: Contact & WithRequestTime): Contact {
  const leads = contact.leads.map((entry) => ({ ...entry, lead: patchLead(own, entry.lead, contact) }) as ContactLead)
  return leads.every(({ lead }, index) => lead === contact.leads[index]?.lead) ? contact : { ...contact, leads }
}

export function applyFields<Item extends Pick<LeadFacts, 'triage'>>(item: Item, fields: LeadFields): Item {
  const { triage } = item
  const { status = triage.status, assignee = triage.assignee, updatedAt = triage.updatedAt, ...others } = fields
  const { updatedBy: _updatedBy, ...work } = others
  return { ...item, ...work, triage: { ...triage, status, assignee, updatedAt } }
}

function pickFacts(item: LeadFacts): LeadFacts {
  const { highSchoolId, seenAt, triage, attempts, snoozeUntil, waitingSince, due, late } = item
  return { highSchoolId, seenAt, triage, attempts, snoozeUntil, waitingSince, due, late }
}

export function toChangedLead({ kind, id, item }: TriagedLead, fields: LeadFields): ChangedLead {
  return { kind, id, before: item ? pickFacts(item) : null, fields }
}

/** Returns the change that undoes this one, or null if the lead's earlier state is not known. */
export function invertChange({ kind, id, before, fields }: ChangedLead): ChangedLead | null {
  if (before === null) return null
  const { highSchoolId: _school, seenAt: _seenAt, triage, ...work } = before
  return { kind, id, before: applyFields(before, fields), fields: { ...work, ...triage } }
}

/** Tells whether the day of the reminder is still to come. On the day itself the server decides by its clock. */
export function isStillSnoozed(snoozeUntil: string | null | undefined, today: string): snoozeUntil is string {
  return snoozeUntil != null && snoozeUntil > today
}

const NOTHING_DUE = { waitingSince: null, due: null, late: false }

/** Adds the fields that follow from a decision, and are shown until the server's answer has them. */
export function deriveFields(decision: TriageDecision): LeadFields {
  // A closed lead does not come back by itself; the server removes its reminder, too.
  if (isClosed(decision.status)) return { snoozeUntil: null, ...decision, ...NOTHING_DUE }
  return decision.snoozeUntil ? { ...decision, ...NOTHING_DUE } : decision
}

export function toAnswerDecision({ triage }: Pick<LeadItem, 'triage'>, isFinished: boolean) {
  if (isFinished) return { status: 'handled' } as const
  return isClosed(triage.status) ? {} : ({ status: 'in-progress' } as const)
}

/** Derives the fields that follow from a new attempt, and are shown until the server's answer has them. */
export function updateWork(before: LeadWork, attempt: Omit<NewAttempt, 'kind' | 'id'>, lastAttempt: Attempt): LeadWork {
  const { outcome, status, snoozeUntil: chosenDay = before.snoozeUntil } = attempt
  const snoozeUntil = isClosed(status) ? null : chosenDay
  const needsNoAnswer = isAnswer(outcome) || snoozeUntil !== null || isClosed(status)
  const { waitingSince, due, late } = needsNoAnswer ? NOTHING_DUE : before
  return { attempts: { count: before.attempts.count + 1, last: lastAttempt }, snoozeUntil, waitingSince, due, late }
}

import type { LeadItem, LeadPage } from '@/lib/api/leads'
import type { WithRequestTime } from '@/lib/api/send'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { Attempt, Contact, ContactLead, LeadKind, LeadRef, LeadWork, Triage } from '@/lib/contract/lead'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import type { TriageAnswer, TriageChange } from '@/lib/contract/triage'
import { groupBy } from '@/lib/group-by'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { kindOf } from './lead-text'

/** The mutation key of the user's own changes of leads. */
export const OWN_CHANGE = ['own-change'] as const
/** Where a tab keeps the changes that the server may not have yet. */
export const UNSENT_KEY = 'intag:unsent'

export type TriageDecision = Partial<Pick<Triage, 'status' | 'assignee'>> & { snoozeUntil?: string | null }

/** A lead that is decided about, `item` as on screen; undefined where it is not loaded. */
export type TriagedLead = LeadRef & { item?: LeadItem | undefined }

export type LeadFields = TriageDecision & Partial<Pick<Triage, 'updatedAt' | 'updatedBy'>> & Partial<LeadWork>

/** What counts and undo need to know of a lead: nothing that names the person. */
export type LeadFacts = Pick<LeadItem, 'highSchoolId' | 'seenAt' | 'triage'> & LeadWork

/** What is shown of a lead until an answer of the server has it. `before` is null where the lead was not loaded. */
export type ChangedLead = LeadRef & { before: LeadFacts | null; fields: LeadFields }

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
    /** Only shown: the mail is sent by the outbox. */
    | { kind: 'mail' }
}

/**
 * `answeredAt`: by the server's clock (ms); an answer to a request from before that may lack the change. `restored`, `lost`: how
 * many leads an undo restored, and how many it did not because they were changed since.
 */
export type ChangeAnswer = Partial<TriageAnswer> & { restored?: number; lost?: number; answeredAt: number }

/** What the state of a mutation tells about a change. */
export type ChangeState = {
  status: 'idle' | 'pending' | 'success' | 'error'
  variables: OwnChange | undefined
  data: ChangeAnswer | undefined
}

/** One change of one lead. `answer` is null until the server has answered; `version` is the lead's then, where the answer tells it. */
type LeadChange = ChangedLead & { answer: { answeredAt: number; version: string | null } | null }

/** What the user's own changes make of the server's answers. */
export type OwnChanges = { changes: readonly LeadChange[]; byLead: ReadonlyMap<LeadKey, readonly LeadChange[]> }

export const NO_CHANGES: OwnChanges = { changes: [], byLead: new Map() }

/** From the states of all mutations, oldest first. What failed, and an undo that restored nothing, shows nothing. */
export function collectOwnChanges(states: readonly ChangeState[]): OwnChanges {
  const all = states.flatMap(({ status, variables, data }): LeadChange[] => {
    if (variables === undefined || status === 'error' || data?.restored === 0) return []
    const changed = new Map<LeadKey, LeadFields>()
    for (const lead of data?.changed ?? []) changed.set(leadKey(lead), lead.after)
    const lost = new Map((data?.conflicts ?? []).map((lead) => [leadKey(lead), lead.now]))
    return variables.leads.map((lead) => {
      const [after, now] = [changed.get(leadKey(lead)), lost.get(leadKey(lead))]
      const version = now?.updatedAt ?? after?.updatedAt ?? null
      const answer = data === undefined ? null : { answeredAt: data.answeredAt, version }
      return { ...lead, fields: now ?? { ...lead.fields, ...after }, answer }
    })
  })
  return all.length === 0 ? NO_CHANGES : { changes: all, byLead: groupBy(all, leadKey) }
}

/** So much later another instance, which hears of changes by message, surely has them. */
const PROPAGATION_MS = 30_000

/** A lead as the server has it, under the changes that this answer is too old to have. An answer that has a change has those before it. */
export function patchLead<Item extends LeadItem>(ownChanges: OwnChanges, kind: LeadKind, item: Item, { requestedAt }: WithRequestTime): Item {
  const changes = ownChanges.byLead.get(leadKey({ kind, id: item.id })) ?? []
  const updatedAt = Date.parse(item.triage.updatedAt ?? '')
  const included = changes.findLastIndex(({ answer }) => {
    if (answer === null) return false
    if (answer.version === null) return answer.answeredAt <= requestedAt
    return updatedAt >= Date.parse(answer.version) || answer.answeredAt + PROPAGATION_MS <= requestedAt
  })
  return changes.slice(included + 1).reduce((shown, { fields }) => withFields(shown, fields), item)
}

export function patchPage(ownChanges: OwnChanges, page: LeadPage): LeadPage {
  const items = page.items.map((item) => patchLead(ownChanges, kindOf(item), item, page))
  return items.every((item, index) => item === page.items[index]) ? page : { ...page, items }
}

export function patchContact(ownChanges: OwnChanges, contact: Contact & WithRequestTime): Contact {
  const leads = contact.leads.map((found): ContactLead => {
    if (found.kind === 'asked-question') return { ...found, lead: patchLead(ownChanges, found.kind, found.lead, contact) }
    return { ...found, lead: patchLead(ownChanges, found.kind, found.lead, contact) }
  })
  return leads.every(({ lead }, index) => lead === contact.leads[index]?.lead) ? contact : { ...contact, leads }
}

/** The changes that an answer is too old to have. */
export function findNewerChanges({ changes: all }: OwnChanges, { requestedAt }: WithRequestTime): readonly LeadChange[] {
  return all.filter(({ answer }) => answer === null || answer.answeredAt > requestedAt)
}

export function withFields<Item extends Pick<LeadFacts, 'triage'>>(item: Item, fields: LeadFields): Item {
  const { status, assignee, updatedAt, updatedBy: _updatedBy, ...work } = fields
  const triage = {
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee }),
    ...(updatedAt !== undefined && { updatedAt }),
  }
  return { ...item, ...work, ...(Object.keys(triage).length > 0 && { triage: { ...item.triage, ...triage } }) }
}

export function toLeadFacts({ highSchoolId, seenAt, triage, ...item }: LeadFacts): LeadFacts {
  return { highSchoolId, seenAt, triage, ...workOf(item) }
}

function workOf({ attempts, snoozeUntil, waitingSince, due, late }: LeadWork): LeadWork {
  return { attempts, snoozeUntil, waitingSince, due, late }
}

export function toChangedLead({ kind, id, item }: TriagedLead, fields: LeadFields): ChangedLead {
  return { kind, id, before: item ? toLeadFacts(item) : null, fields }
}

/** The change that takes this one back; null where it is not known what the lead was. */
export function invertChange({ kind, id, before, fields }: ChangedLead): ChangedLead | null {
  if (before === null) return null
  return { kind, id, before: withFields(before, fields), fields: { ...workOf(before), ...before.triage } }
}

/** As the list last said: the server decides when the morning has come. */
export function isStillSnoozed(snoozeUntil: string | null | undefined, today: string): snoozeUntil is string {
  return snoozeUntil != null && snoozeUntil > today
}

const NOTHING_DUE = { waitingSince: null, due: null, late: false }

/** What is decided about a lead, with what follows from it, until the server has counted. */
export function deriveFields(decision: TriageDecision): LeadFields {
  // What is handled or dismissed does not come back by itself; the server clears its day too.
  if (isClosed(decision.status)) return { snoozeUntil: null, ...decision, ...NOTHING_DUE }
  return decision.snoozeUntil ? { ...decision, ...NOTHING_DUE } : decision
}

/** What an answer decides: the lead is handled, or it is kept open and in progress from then on. */
export function toAnswerDecision({ triage }: Pick<LeadItem, 'triage'>, isFinished: boolean) {
  if (isFinished) return { status: 'handled' } as const
  return isClosed(triage.status) ? {} : ({ status: 'in-progress' } as const)
}

/** How far a lead has come once this attempt is noted, until the server has counted. */
export function updateWork(before: LeadWork, attempt: Omit<NewAttempt, 'kind' | 'id'>, newAttempt: Attempt): LeadWork {
  const { outcome, status } = attempt
  const wanted = attempt.snoozeUntil === undefined ? before.snoozeUntil : attempt.snoozeUntil
  const snoozeUntil = isClosed(status) ? null : wanted
  const isOver = isAnswer(outcome) || snoozeUntil !== null || isClosed(status)
  const { waitingSince, due, late } = isOver ? NOTHING_DUE : before
  return { attempts: { count: before.attempts.count + 1, last: newAttempt }, snoozeUntil, waitingSince, due, late }
}

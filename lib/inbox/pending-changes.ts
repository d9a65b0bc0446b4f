import type { LeadItem, LeadPage } from '@/lib/api/leads'
import type { Asked } from '@/lib/api/send'
import type { LeadVersion } from '@/lib/api/triage'
import type { NewAttempt } from '@/lib/contract/attempts'
import type {
  Attempt,
  Contact,
  ContactLead,
  LeadKind,
  LeadRef,
  LeadStatus,
  LeadWork,
  Triage,
} from '@/lib/contract/lead'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import { kindOf } from './lead-text'
import type { LeadFacts, LeadFields, TriageDecision, TriagedLead } from './undo-steps'

/** What the user did about leads, from the moment they did it until every answer shown is newer. */
export type PendingChange = { leads: ReadonlyMap<string, ChangedLead>; answeredAt: number }

/** `from`: its status before; `item`: the lead as it was shown before, where it was. */
export type ChangedLead = {
  kind: LeadKind
  id: string
  from: LeadStatus
  fields: LeadFields
  item?: LeadFacts | undefined
}

/** The newest version of a lead that the user can know (`at`, ms); null: it is not known, and the server need not compare. */
type Known = { at: number | null; fields: LeadFields; learnedAt: number }
export type KnownLeads = readonly (readonly [string, Known])[]

/** What lies over the server's answers. A new object after every change. */
export type PendingState = { changes: readonly PendingChange[]; known: ReadonlyMap<string, Known> }

export type PendingChanges = ReturnType<typeof createPendingChanges>

/** Longer than an answer is cached that nothing on screen uses. */
const KEPT_MS = 10 * 60_000
/** An instance may answer this long with less than it was given; after that the answer is right, and the version was not. */
const TRUSTED_MS = 30_000

type Hearing = {
  onChange?: (pending: PendingState) => void
  /** What the server has answered, for the browser's other tabs. */
  onKnown?: (leads: KnownLeads) => void
}

/** The user's own changes, in order. `now` is the server's clock, ms. */
export function createPendingChanges(now: () => number, { onChange, onKnown }: Hearing = {}) {
  let pending: PendingState = { changes: [], known: new Map() }
  const set = (next: Partial<PendingState>) => {
    pending = { ...pending, ...next }
    onChange?.(pending)
  }
  return {
    read: () => pending,
    add: (leads: readonly ChangedLead[]): PendingChange => {
      const change = { leads: new Map(leads.map((lead) => [leadKey(lead), lead])), answeredAt: Infinity }
      set({ changes: [...pending.changes, change] })
      return change
    },
    drop: (change: PendingChange) => set({ changes: pending.changes.filter((one) => one !== change) }),
    /** The server has it. `versions`: what the leads are since then, where it says so. */
    answered: (change: PendingChange, versions: Versions | null) => {
      const done = { ...change, answeredAt: now() }
      const { changed = [], conflicts = [] } = versions ?? {}
      const known: KnownLeads = [
        ...changed.map((lead) => [leadKey(lead), knownAs(fieldsOfChanged(pending, change, lead), now())] as const),
        ...conflicts.map((lead) => [leadKey(lead), knownAs(lead.now, now())] as const),
      ]
      const unknown = versions === null ? unknownOf(change, now()) : []
      set({
        changes: pending.changes.map((one) => (one === change ? done : one)),
        known: new Map([...pending.known, ...known, ...unknown]),
      })
      if (known.length > 0) onKnown?.(known)
    },
    /** What another tab has learned, if it is newer than what is known here. */
    learn: (leads: KnownLeads) => {
      const newer = leads.filter(([key, one]) => isNews(one, pending.known.get(key)))
      if (newer.length > 0) set({ known: new Map([...pending.known, ...newer]) })
    },
    prune: () => {
      const since = now() - KEPT_MS
      const changes = pending.changes.filter(({ answeredAt }) => answeredAt > since)
      const known = new Map([...pending.known].filter(([, { learnedAt }]) => learnedAt > since))
      if (changes.length + known.size < pending.changes.length + pending.known.size) set({ changes, known })
    },
  }
}

function unknownOf({ leads }: PendingChange, learnedAt: number) {
  return [...leads.keys()].map((key) => [key, { at: null, fields: {}, learnedAt }] as const)
}

function isNews({ at }: Known, here: Known | undefined): boolean {
  return at !== null && (here === undefined || (here.at !== null && at > here.at))
}

/** What the server compares a change with: rows show older versions than the user's own last change. */
export function versionOf({ known }: PendingState, lead: TriagedLead): LeadVersion {
  const ref = { kind: lead.kind, id: lead.id }
  const newest = known.get(leadKey(lead))
  if (lead.triage === undefined || newest?.at === null) return ref
  const { updatedAt } = lead.triage
  const isNewer = newest !== undefined && newest.at > momentOf(updatedAt)
  return { ...ref, updatedAt: isNewer ? (newest.fields.updatedAt ?? null) : updatedAt }
}

/** What the server answers: the leads that it changed, and those that were changed by others before. */
type Versions = {
  changed: readonly (LeadRef & { after: Triage })[]
  conflicts: readonly (LeadRef & { now: Triage })[]
}

function fieldsOfChanged(
  { known }: PendingState,
  { leads }: PendingChange,
  lead: LeadRef & { after: Triage },
): LeadFields {
  const key = leadKey(lead)
  return { ...known.get(key)?.fields, ...leads.get(key)?.fields, ...lead.after }
}

function knownAs(fields: LeadFields, learnedAt: number): Known {
  return { at: momentOf(fields.updatedAt ?? null), fields, learnedAt }
}

const momentOf = (at: string | null) => (at === null ? -Infinity : Date.parse(at))

/** A lead as the user is shown it: as the server has it, under the user's changes that this answer is too old to have. */
export function foldLead<Item extends LeadItem>(
  pending: PendingState,
  kind: LeadKind,
  item: Item,
  { askedAt }: Asked,
): Item {
  const key = leadKey({ kind, id: item.id })
  const known = pending.known.get(key)
  // Another instance may answer a little later with less.
  const isKnown = known !== undefined && known.at !== null && askedAt < known.learnedAt + TRUSTED_MS
  const over = pending.changes.flatMap((change) => {
    const fields = change.leads.get(key)?.fields
    const isAnswered = change.answeredAt !== Infinity && (isKnown || change.answeredAt <= askedAt)
    return fields === undefined || isAnswered ? [] : [fields]
  })
  if (isKnown && (known.at ?? 0) > momentOf(item.triage.updatedAt)) over.unshift(known.fields)
  return over.length === 0 ? item : folded(item, over)
}

const foldedBefore = new WeakMap<LeadItem, { over: readonly LeadFields[]; item: LeadItem }>()

/** The same object while the same changes lie over it, so that its row is not drawn again. */
function folded<Item extends LeadItem>(item: Item, over: readonly LeadFields[]): Item {
  const before = foldedBefore.get(item)
  if (before?.over.length === over.length && before.over.every((fields, at) => fields === over[at]))
    return before.item as Item
  const next = over.reduce(withFields, item)
  foldedBefore.set(item, { over, item: next })
  return next
}

/** What the numbers of queues and menu are counted by. */
export function factsOf({ highSchoolId, seenAt, triage, ...item }: LeadFacts): LeadFacts {
  return { highSchoolId, seenAt, triage, ...workOf(item) }
}

export function withFields<Item extends Pick<LeadFacts, 'triage'>>(item: Item, fields: LeadFields): Item {
  const { status, assignee, updatedAt, updatedBy: _updatedBy, ...work } = fields
  const triage = {
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee }),
    ...(updatedAt !== undefined && { updatedAt }),
  }
  if (Object.keys(triage).length === 0) return { ...item, ...work }
  return { ...item, ...work, triage: { ...item.triage, ...triage } }
}

export function foldPage(pending: PendingState, page: LeadPage): LeadPage {
  const items = page.items.map((item) => foldLead(pending, kindOf(item), item, page))
  return items.every((item, at) => item === page.items[at]) ? page : { ...page, items }
}

export function foldContact(pending: PendingState, contact: Contact & Asked): Contact {
  const leads = contact.leads.map((found): ContactLead => {
    if (found.kind === 'asked-question') return { ...found, lead: foldLead(pending, found.kind, found.lead, contact) }
    return { ...found, lead: foldLead(pending, found.kind, found.lead, contact) }
  })
  return leads.every(({ lead }, at) => lead === contact.leads[at]?.lead) ? contact : { ...contact, leads }
}

const OVER = { waitingSince: null, due: null, late: false }

/** What is decided about a lead, with what follows from it, until the server has counted. */
export function fieldsAfter(decision: TriageDecision): LeadFields {
  // What is handled or not relevant does not come back by itself, as the server has it too.
  if (isClosed(decision.status)) return { snoozeUntil: null, ...decision, ...OVER }
  return decision.snoozeUntil ? { ...decision, ...OVER } : decision
}

/** What was tried and stays open is the user's from then on, unless a colleague has it. */
export function keptOpen({ triage: { status } }: Pick<LeadItem, 'triage'>): { status?: 'in-progress' } {
  return isClosed(status) ? {} : { status: 'in-progress' }
}

/** How far a lead has come once this attempt is noted, until the server has counted. */
export function workAfter(before: LeadWork, attempt: Omit<NewAttempt, 'kind' | 'id'>, now: Attempt): LeadWork {
  const { outcome, status } = attempt
  const wanted = attempt.snoozeUntil === undefined ? before.snoozeUntil : attempt.snoozeUntil
  const snoozeUntil = isClosed(status) ? null : wanted
  const isOver = isAnswer(outcome) || snoozeUntil !== null || isClosed(status)
  return {
    attempts: { count: before.attempts.count + 1, last: now },
    snoozeUntil,
    ...(isOver ? OVER : { waitingSince: before.waitingSince, due: before.due, late: before.late }),
  }
}

export function workOf({ attempts, snoozeUntil, waitingSince, due, late }: LeadWork): LeadWork {
  return { attempts, snoozeUntil, waitingSince, due, late }
}

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
import type { ListCounts } from '@/lib/contract/list-query'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import type { ShownTriage, TriagedLead } from './undo-steps'

/** The fields of a lead that a change sets. */
export type LeadFields = Partial<ShownTriage> & Partial<LeadWork>

/** What the user did about leads, from the moment they did it until every answer shown is newer. */
export type PendingChange = { leads: ReadonlyMap<string, ChangedLead>; answeredAt: number }
type ChangedLead = { kind: LeadKind; from: LeadStatus; fields: LeadFields }

/** The newest version of a lead that the user can know; null: it is not known, and the server need not compare. */
type Known = { at: number; fields: LeadFields } | null

/** What screens show on top of the server's answers. A new object after every change. */
export type Pending = { changes: readonly PendingChange[]; known: ReadonlyMap<string, Known> }

export const NOTHING_PENDING: Pending = { changes: [], known: new Map() }

export type PendingChanges = ReturnType<typeof createPendingChanges>

/** Longer than an answer is cached that nothing on screen uses. */
const KEPT_MS = 10 * 60_000

/** The user's own changes, in order. `now` is the server's clock, ms. */
export function createPendingChanges(now: () => number) {
  let pending = NOTHING_PENDING
  const listeners = new Set<() => void>()
  const set = (next: Partial<Pending>) => {
    pending = { ...pending, ...next }
    for (const listener of listeners) listener()
  }
  const keepKnown = (leads: Iterable<readonly [string, Known]>) => new Map([...pending.known, ...leads])
  return {
    read: () => pending,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add: (leads: readonly (LeadRef & Omit<ChangedLead, 'kind'>)[]): PendingChange => {
      const change = { leads: new Map(leads.map((lead) => [keyOf(lead), lead])), answeredAt: Infinity }
      const since = now() - KEPT_MS
      set({ changes: [...pending.changes.filter(({ answeredAt }) => answeredAt > since), change] })
      return change
    },
    /** It failed, or nothing came of it. */
    drop: (change: PendingChange) => set({ changes: pending.changes.filter((one) => one !== change) }),
    /** The server has it. `versions`: what the leads are since then, where it says so. */
    answered: (change: PendingChange, versions: readonly (LeadRef & { after: Triage })[] | null) => {
      const done = { ...change, answeredAt: now() }
      const known: [string, Known][] =
        versions === null
          ? [...change.leads.keys()].map((key) => [key, null])
          : versions.map((lead) => [keyOf(lead), knownAfter(pending, change, lead)])
      set({ changes: pending.changes.map((one) => (one === change ? done : one)), known: keepKnown(known) })
    },
    /** Whatever else happened to these leads, their version is not known. */
    forget: (leads: readonly LeadRef[]) => set({ known: keepKnown(leads.map((lead) => [keyOf(lead), null])) }),
    /** What the server compares a change with: rows show older versions than the user's own last change. */
    versionOf: (lead: TriagedLead): LeadVersion => {
      const ref = { kind: lead.kind, id: lead.id }
      const known = pending.known.get(keyOf(lead))
      if (lead.triage === undefined || known === null) return ref
      const { updatedAt } = lead.triage
      const isNewer = known !== undefined && known.at > momentOf(updatedAt)
      return { ...ref, updatedAt: isNewer ? (known.fields.updatedAt ?? null) : updatedAt }
    },
  }
}

function knownAfter({ known }: Pending, change: PendingChange, lead: LeadRef & { after: Triage }): Known {
  const key = keyOf(lead)
  const { snoozeUntil = known.get(key)?.fields.snoozeUntil } = change.leads.get(key)?.fields ?? {}
  const fields = { ...lead.after, ...(snoozeUntil !== undefined && { snoozeUntil }) }
  return { at: momentOf(lead.after.updatedAt), fields }
}

const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`
const momentOf = (at: string | null) => (at === null ? -Infinity : Date.parse(at))

/** A lead as the user is shown it: as the server has it, under the user's changes that this answer is too old to have. */
export function foldLead<Item extends LeadItem>(
  pending: Pending,
  kind: LeadKind,
  item: Item,
  { askedAt }: Asked,
): Item {
  const key = keyOf({ kind, id: item.id })
  const known = pending.known.get(key)
  const isKnown = known != null && known.at > momentOf(item.triage.updatedAt)
  const over = pending.changes.flatMap((change) => {
    const fields = change.leads.get(key)?.fields
    // What has a version since is compared by that: another instance may answer later with less.
    const isAnswered = change.answeredAt !== Infinity && (known != null || change.answeredAt <= askedAt)
    return fields === undefined || isAnswered ? [] : [fields]
  })
  if (isKnown) over.unshift(known.fields)
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

function withFields<Item extends LeadItem>(item: Item, fields: LeadFields): Item {
  const { status, assignee, updatedAt, updatedBy = null, ...work } = fields
  const triage = {
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee }),
    ...(updatedAt !== undefined && { updatedAt }),
  }
  if (Object.keys(triage).length === 0) return { ...item, ...work }
  return { ...item, ...work, triage: { ...item.triage, ...triage, updatedBy } }
}

export function foldPage(pending: Pending, kind: LeadKind, page: LeadPage): LeadPage {
  const items = page.items.map((item) => foldLead(pending, kind, item, page))
  return items.every((item, at) => item === page.items[at]) ? page : { ...page, items }
}

export function foldContact(pending: Pending, contact: Contact & Asked): Contact {
  const leads = contact.leads.map((found): ContactLead => {
    if (found.kind === 'asked-question') return { ...found, lead: foldLead(pending, found.kind, found.lead, contact) }
    return { ...found, lead: foldLead(pending, found.kind, found.lead, contact) }
  })
  return leads.every(({ lead }, at) => lead === contact.leads[at]?.lead) ? contact : { ...contact, leads }
}

/** The numbers beside the filters, with the leads moved from the status that they had to the one that they got. */
export function foldCounts(pending: Pending, kind: LeadKind, counts: ListCounts & Asked): ListCounts {
  const moved = pending.changes.flatMap(({ leads, answeredAt }) =>
    answeredAt <= counts.askedAt ? [] : [...leads.values()].filter((lead) => lead.kind === kind),
  )
  if (moved.every(({ fields }) => fields.status === undefined)) return counts
  const status: Record<string, number> = { ...counts.status }
  for (const { from, fields } of moved) {
    if (fields.status === undefined) continue
    status[from] = Math.max(0, (status[from] ?? 0) - 1)
    status[fields.status] = (status[fields.status] ?? 0) + 1
  }
  return { ...counts, status }
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
    waitingSince: isOver ? null : before.waitingSince,
    due: isOver ? null : before.due,
    late: !isOver && before.late,
  }
}

export function workOf({ attempts, snoozeUntil, waitingSince, due, late }: LeadWork): LeadWork {
  return { attempts, snoozeUntil, waitingSince, due, late }
}

import type { QueryClient } from '@tanstack/react-query'
import { keyOf } from '@/lib/api/call'
import { type LeadItem, leadKeys, type LeadPage, NO_ETAG } from '@/lib/api/leads'
import { countsKey } from '@/lib/api/queries'
import type { Contact, ContactLead, LeadKind, LeadRef, Triage, Attempt, LeadWork } from '@/lib/contract/lead'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { ListCounts } from '@/lib/contract/list-query'
import { isAnswer, isClosed, LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { ShownTriage } from '@/lib/inbox/triage-history'

type Shown = LeadRef & { triage: ShownTriage }
type Change = Partial<ShownTriage> & Partial<LeadWork>
type ChangesById = ReadonlyMap<string, Change>

const contactKey = keyOf('GET /api/contacts/[id]')

/** Shows the leads' triage on every loaded page, and with `counted` in the numbers beside the filters too. */
export function showTriage(
  client: QueryClient,
  leads: readonly Shown[],
  counted?: { before: readonly Triage[]; decision: Partial<Triage> },
): void {
  for (const kind of LEAD_KINDS) {
    const list = LISTS_BY_KIND[kind].list
    const changes = new Map(leads.flatMap((lead) => (lead.kind === kind ? [[lead.id, lead.triage]] : [])))
    if (changes.size === 0) continue
    // An answer that was on its way would show what was before for a moment.
    void client.cancelQueries({ queryKey: leadKeys.list(list) })
    void client.cancelQueries({ queryKey: contactKey })
    // On a contact's page, the person who decided before is no longer who decided last.
    const ofNobody = [...changes].map(([id, triage]) => [id, { updatedBy: null, ...triage }] as const)
    show(client, kind, changes, new Map(ofNobody))
    if (counted === undefined) continue
    client.setQueriesData<ListCounts>(
      { queryKey: countsKey(list) },
      (counts) => counts && countsAfter(counts, counted.before, counted.decision),
    )
  }
}

/** Shows how far a lead has come on every loaded page. */
export function showWork(client: QueryClient, { kind, id }: LeadRef, work: LeadWork): void {
  show(client, kind, new Map([[id, work]]))
}

/** What no lead changes on stays the same object, so that nothing renders again. */
function show(client: QueryClient, kind: LeadKind, onPages: ChangesById, onContacts = onPages): void {
  client.setQueriesData<LeadPage>({ queryKey: leadKeys.list(LISTS_BY_KIND[kind].list) }, (page) => {
    if (page === undefined || !page.items.some(({ id }) => onPages.has(id))) return page
    // Without its etag: what the server sends next replaces all of it.
    return { ...page, etag: NO_ETAG, items: page.items.map((item) => changed(item, onPages.get(item.id))) }
  })
  client.setQueriesData<Contact>({ queryKey: contactKey }, (person) => {
    const changeOf = (found: ContactLead) => (found.kind === kind ? onContacts.get(found.lead.id) : undefined)
    if (person === undefined || person.leads.every((found) => changeOf(found) === undefined)) return person
    const leads = person.leads.map((found): ContactLead =>
      found.kind === 'asked-question'
        ? { ...found, lead: changed(found.lead, changeOf(found)) }
        : { ...found, lead: changed(found.lead, changeOf(found)) },
    )
    return { ...person, leads }
  })
}

function changed<Item extends LeadItem>(item: Item, change: Change | undefined): Item {
  if (change === undefined) return item
  const {
    attempts = item.attempts,
    snoozeUntil = item.snoozeUntil,
    waitingSince = item.waitingSince,
    due = item.due,
    late = item.late,
    ...triage
  } = change
  return { ...item, attempts, snoozeUntil, waitingSince, due, late, triage: { ...item.triage, ...triage } }
}

/** The numbers as they will be once these leads have another status, until the server has counted. */
export function countsAfter(counts: ListCounts, before: readonly Triage[], change: Partial<Triage>): ListCounts {
  const { status } = change
  if (status === undefined) return counts
  const next = { ...counts.status }
  for (const { status: old } of before) {
    next[old] = Math.max(0, (next[old] ?? 0) - 1)
    next[status] = (next[status] ?? 0) + 1
  }
  return { ...counts, status: next }
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

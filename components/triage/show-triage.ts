import type { QueryClient } from '@tanstack/react-query'
import { keyOf } from '@/lib/api/call'
import { type LeadItem, leadKeys, type LeadPage, NO_ETAG } from '@/lib/api/leads'
import { countsKey } from '@/lib/api/queries'
import type { Contact, ContactLead } from '@/lib/contract/contact'
import type { LeadKind, LeadRef, Triage } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-query'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { ShownTriage } from '@/lib/inbox/triage-history'

type Shown = LeadRef & { triage: ShownTriage }

/** Shows the leads' triage on every page that is loaded, and with `counted` in the numbers beside the filters too. */
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
    void client.cancelQueries({ queryKey: keyOf('GET /api/contacts/[id]') })
    client.setQueriesData<LeadPage>({ queryKey: leadKeys.list(list) }, (page) => page && withTriage(page, changes))
    client.setQueriesData<Contact>(
      { queryKey: keyOf('GET /api/contacts/[id]') },
      (person) => person && ofContact(person, kind, changes),
    )
    if (counted === undefined) continue
    client.setQueriesData<ListCounts>(
      { queryKey: countsKey(list) },
      (counts) => counts && countsAfter(counts, counted.before, counted.decision),
    )
  }
}

/** What becomes of leads, by their id. */
type TriageById = ReadonlyMap<string, Partial<ShownTriage>>

/**
 * A page where these leads have another triage; the same page when none is on it, so that nothing renders again. It is not
 * the server's any more: what the server sends next replaces all of it.
 */
export function withTriage(page: LeadPage, changes: TriageById): LeadPage {
  if (!page.items.some((item) => changes.has(item.id))) return page
  return { ...page, etag: NO_ETAG, items: page.items.map((item) => changed(item, changes.get(item.id))) }
}

/** The same for a person's leads; who decided before is no longer who decided last. */
export function ofContact(person: Contact, kind: LeadKind, changes: TriageById): Contact {
  if (!person.leads.some((found) => found.kind === kind && changes.has(found.lead.id))) return person
  const leads = person.leads.map((found): ContactLead => {
    const change = found.kind === kind ? changes.get(found.lead.id) : undefined
    if (change === undefined) return found
    const triage = { updatedBy: null, ...change }
    return found.kind === 'asked-question'
      ? { ...found, lead: changed(found.lead, triage) }
      : { ...found, lead: changed(found.lead, triage) }
  })
  return { ...person, leads }
}

function changed<Item extends LeadItem>(item: Item, change: Partial<ShownTriage> | undefined): Item {
  if (change === undefined) return item
  const { snoozeUntil = item.snoozeUntil, ...triage } = change
  return { ...item, snoozeUntil, triage: { ...item.triage, ...triage } }
}

/** The numbers as they will be once these leads have another status; until the server has counted, the best there is. */
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

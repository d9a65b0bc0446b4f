import type { LeadItem, LeadPage } from '@/lib/api/lead-page'
import type { Triage } from '@/lib/contract/lead'

/** What becomes of leads, by their id. */
export type TriageById = ReadonlyMap<string, Partial<Triage>>

/** A page where these leads have another triage; the same page when none is on it, so that nothing renders again. */
export function withTriage(page: LeadPage, changes: TriageById): LeadPage {
  if (!page.items.some((item) => changes.has(item.id))) return page
  return { ...page, items: page.items.map((item) => changed(item, changes.get(item.id))) }
}

function changed<Item extends LeadItem>(item: Item, change: Partial<Triage> | undefined): Item {
  return change === undefined ? item : { ...item, triage: { ...item.triage, ...change } }
}

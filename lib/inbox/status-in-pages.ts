import type { LeadItem, LeadPage } from '@/lib/api/lead-page'
import type { LeadStatus } from '@/lib/contract/lead'

/** A page where the lead with this id has another status; the same page when it is not on it, so nothing renders again. */
export function withStatus(page: LeadPage, id: string, status: LeadStatus, updatedAt: string | null): LeadPage {
  if (!page.items.some((item) => item.id === id)) return page
  return { ...page, items: page.items.map((item) => (item.id === id ? changed(item, status, updatedAt) : item)) }
}

function changed<Item extends LeadItem>(item: Item, status: LeadStatus, updatedAt: string | null): Item {
  return { ...item, triage: { ...item.triage, status, updatedAt } }
}

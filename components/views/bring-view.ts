import type { LeadList } from '@/lib/contract/lead'
import type { SavedView } from '@/lib/contract/saved-view'
import { bringSearch, LIST_RESTARTED } from '@/lib/inbox/search-memory'

/** Lets the list that is about to be shown begin with the view's search text, which is not in its address. */
export function bringView({ list, query }: SavedView, shown: LeadList | undefined): void {
  const text = query.q ?? ''
  if (shown === list) window.dispatchEvent(new CustomEvent(LIST_RESTARTED, { detail: text }))
  else bringSearch(list, text, window.sessionStorage)
}

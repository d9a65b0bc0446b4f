import type { LeadList } from '@/lib/contract/lead'
import type { SavedView } from '@/lib/contract/saved-view'
import { LIST_RESTARTED, presetSearch } from '@/lib/inbox/search-text'

/** Lets the list that is about to be shown begin with the view's search text, which is not in its address. */
export function applyViewSearch({ list, query }: Pick<SavedView, 'list' | 'query'>, shown: LeadList | undefined): void {
  const text = query.q ?? ''
  if (shown === list) window.dispatchEvent(new CustomEvent(LIST_RESTARTED, { detail: text }))
  else presetSearch(list, text, window.sessionStorage)
}

import type { SavedView } from '@/lib/contract/saved-view'
import { nothing, request } from './send'

/** Keeps a list's filters and order under a name. */
export function saveView(view: Pick<SavedView, 'list' | 'name' | 'query' | 'shared'>): Promise<void> {
  return request('/api/views', { method: 'POST', body: view, read: nothing })
}

/** For its owner, and administrators. */
export function deleteView(id: SavedView['id']): Promise<void> {
  return request(`/api/views/${encodeURIComponent(id)}`, { method: 'DELETE', read: nothing })
}

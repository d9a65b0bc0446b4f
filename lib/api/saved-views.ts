import { queryOptions } from '@tanstack/react-query'
import type { SavedView, SavedViewsAnswer } from '@/lib/contract/saved-view'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

/** The person's own views and the shared ones, with how many leads each has now. */
export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => request('/api/views', { read: readViews, signal }),
  staleTime: 10_000,
})

export function saveView(view: Pick<SavedView, 'list' | 'name' | 'query' | 'shared'>): Promise<void> {
  return request('/api/views', { method: 'POST', body: view, read: () => undefined })
}

export function deleteView(id: SavedView['id']): Promise<void> {
  return request(`/api/views/${encodeURIComponent(id)}`, { method: 'DELETE', read: () => undefined })
}

function readViews(body: unknown): SavedViewsAnswer {
  if (!isViews(body)) throw new ApiError('unreadable', 200)
  return body
}

function isViews(body: unknown): body is SavedViewsAnswer {
  return isRecord(body) && Array.isArray(body['views'])
}

import { queryOptions } from '@tanstack/react-query'
import type { NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/reply-template'
import { nothing, request } from './send'
import { shape } from './shape'

const PATH = '/api/templates'
const STALE_MS = 60_000

/** What can be written to a person: the reply templates of every language. */
export const templates = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => request(PATH, { read: shape<TemplatesAnswer>({ templates: 'array' }), signal }),
  staleTime: STALE_MS,
})

const readTemplate = shape<ReplyTemplate>({ id: 'string', body: 'string' })

export function createTemplate(template: NewTemplate): Promise<ReplyTemplate> {
  return request(PATH, { method: 'POST', body: template, read: readTemplate })
}

export function changeTemplate({ id, ...template }: ReplyTemplate): Promise<ReplyTemplate> {
  return request(`${PATH}/${encodeURIComponent(id)}`, { method: 'PUT', body: template, read: readTemplate })
}

export function deleteTemplate(id: string): Promise<void> {
  return request(`${PATH}/${encodeURIComponent(id)}`, { method: 'DELETE', read: nothing })
}

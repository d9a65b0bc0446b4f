import { queryOptions } from '@tanstack/react-query'
import type { NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/reply-template'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

const STALE_MS = 60_000
const PATH = '/api/templates'

/** The reply templates of every language. */
export const templates = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => request(PATH, { read: readTemplates, signal }),
  staleTime: STALE_MS,
})

export function createTemplate(template: NewTemplate): Promise<ReplyTemplate> {
  return request(PATH, { method: 'POST', body: template, read: readTemplate })
}

export function changeTemplate({ id, ...template }: ReplyTemplate): Promise<ReplyTemplate> {
  return request(`${PATH}/${encodeURIComponent(id)}`, { method: 'PUT', body: template, read: readTemplate })
}

export function deleteTemplate(id: string): Promise<void> {
  return request(`${PATH}/${encodeURIComponent(id)}`, { method: 'DELETE', read: () => undefined })
}

function readTemplates(body: unknown): TemplatesAnswer {
  if (!isTemplates(body)) throw new ApiError('unreadable', 200)
  return body
}

function readTemplate(body: unknown): ReplyTemplate {
  if (!isTemplate(body)) throw new ApiError('unreadable', 200)
  return body
}

function isTemplates(body: unknown): body is TemplatesAnswer {
  return isRecord(body) && Array.isArray(body['templates'])
}

function isTemplate(body: unknown): body is ReplyTemplate {
  return isRecord(body) && typeof body['id'] === 'string' && typeof body['body'] === 'string'
}

import type { AskedQuestionItem, DeclarationOfInterestItem, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { ApiError } from './api-error'

export type LeadItem = AskedQuestionItem | DeclarationOfInterestItem

/** One page of either list under one name, so that the screen needs no case for each. */
export type LeadPage<Item extends LeadItem = LeadItem> = {
  items: readonly Item[]
  total: number
  snapshot: SnapshotInfo
}

/** What a list is asked for, without the stretch of it that is on screen. */
export type LeadListQuery = LeadFilter & { sort: Sort }

/** Rows asked for at a time; the first page of the HTML has as many. */
export const PAGE_SIZE = 100

/** What TanStack Query needs to ask for a page. */
export type LeadPageOptions = {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<LeadPage>
}

export const leadKeys = {
  list: (list: LeadList) => ['leads', list] as const,
  pages: (list: LeadList, query: LeadListQuery) => ['leads', list, 'page', query] as const,
  page: (list: LeadList, query: LeadListQuery, offset: number) => ['leads', list, 'page', query, offset] as const,
  one: (list: LeadList, id: string) => ['leads', list, 'one', id] as const,
}

/**
 * Reads a page whose items stand under `name`. Looks at the outer shape only: both ends are one build, so what this must
 * tell apart is an answer of ours from a stranger's (a proxy's page); a schema per row would cost the browser 20 kB.
 */
export function readLeadPage<Item extends LeadItem>(name: string): (body: unknown) => LeadPage<Item> {
  return (body) => {
    if (!isPage<Item>(body, name)) throw new ApiError('unreadable', 200)
    return { items: body[name] ?? [], total: body.total, snapshot: body.snapshot }
  }
}

type WirePage<Item> = { total: number; snapshot: SnapshotInfo } & { [name: string]: Item[] }

function isPage<Item>(body: unknown, name: string): body is WirePage<Item> {
  return (
    isRecord(body) && Array.isArray(body[name]) && typeof body['total'] === 'number' && isSnapshot(body['snapshot'])
  )
}

export function isSnapshot(value: unknown): value is SnapshotInfo {
  return isRecord(value) && typeof value['version'] === 'number' && typeof value['fetchedAt'] === 'string'
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

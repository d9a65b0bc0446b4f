import type { QueryClient } from '@tanstack/react-query'
import { PAGE_SIZE, type LeadItem, type LeadListQuery } from '@/lib/api/lead-page'
import type { ListDescription } from './lists'
import type { ListRows } from './use-list-rows'

export type Place = { item: LeadItem; index: number }

type Search = { client: QueryClient; description: ListDescription; query: LeadListQuery; rows: ListRows }

/** Pages that are looked through below what is loaded; after that the person may look for themselves. */
const MOST_PAGES = 10

/** The first lead below `index` that waits for somebody; in a list without new leads the next one. Null: there is none. */
export function nextUnhandled(search: Search, index: number): Place | null | Promise<Place | null> {
  const { rows, query } = search
  const waits = waitsIn(query)
  for (let at = index + 1; at < rows.count; at++) {
    const item = rows.rowAt(at)
    if (item === undefined) return further(search, at, waits)
    if (waits(item)) return { item, index: at }
  }
  return null
}

async function further(
  { client, description, query, rows }: Search,
  index: number,
  waits: (item: LeadItem) => boolean,
): Promise<Place | null> {
  const start = index + rows.held
  const firstPage = start - (start % PAGE_SIZE)
  for (let offset = firstPage; offset < firstPage + MOST_PAGES * PAGE_SIZE; offset += PAGE_SIZE) {
    if (offset >= rows.count + rows.held) return null
    const { items } = await client.fetchQuery({ ...description.page(query, offset), staleTime: 5_000 })
    const at = items.findIndex((item, place) => offset + place >= start && waits(item))
    const item = items[at]
    if (item !== undefined) return { item, index: offset + at - rows.held }
  }
  return null
}

function waitsIn({ status }: LeadListQuery): (item: LeadItem) => boolean {
  const hasNew = status === undefined || status.includes('new')
  return hasNew ? (item) => item.triage.status === 'new' : () => true
}

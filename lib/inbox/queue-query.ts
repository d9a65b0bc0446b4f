import type { LeadListQuery } from '@/lib/api/leads'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { searchOf } from './filter-params'

/** What a queue on screen asks for. In the address are kind, topics and schools. */
export function toQueueQuery(search: URLSearchParams, text = ''): LeadListQuery {
  const [school, topic] = ['school', 'topic'].map((name) =>
    [...new Set(search.getAll(name).filter((id) => id !== ''))].toSorted(),
  )
  const kind = LEAD_KINDS.find((one) => one === search.get('kind'))
  const q = searchOf(text)
  return {
    ...(school?.length && { school }),
    ...(topic?.length && { topic }),
    ...(kind && { kind }),
    ...(q !== '' && { q }),
  }
}

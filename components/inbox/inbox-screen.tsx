import type { ReactNode } from 'react'
import {
  isQueue,
  type LeadListQuery,
  type LeadPage,
  type ListOrQueue,
  PAGE_SIZE,
  pageQueryKeys,
  parseLeadParam,
  singleLeadQuery,
} from '@/lib/api/leads'
import { prefetchAnswer } from '@/lib/api/prefetched-answer'
import { highSchoolsQuery, listCountsQuery } from '@/lib/api/queries'
import { toQueryString } from '@/lib/api/send'
import type { Answer } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { readFilterParams, toListQuery, omitSort } from '@/lib/inbox/filter-params'
import { parseLeadKey } from '@/lib/leads/lead-key'
import { PrefetchedData } from './prefetched-data'

type PageAnswer = Promise<Omit<LeadPage, 'requestedAt'>>
type InboxScreenProps = {
  listOrQueue: ListOrQueue
  searchParams: Promise<Record<string, string | string[] | undefined>>
  readPage: (query: LeadListQuery & { offset: number; limit: number }) => PageAnswer
  readLead: (lead: LeadRef) => PageAnswer
  readSchools: () => Promise<Answer<'GET /api/high-schools'>>
  readCounts: ((filter: LeadFilter) => Promise<ListCounts>) | null
  children: ReactNode
}

/** Reads the first rows, the open lead, schools and counts for the HTML. The browser requests what fails here. */
export async function InboxScreen({ listOrQueue, searchParams, children, ...read }: InboxScreenProps) {
  const search = new URLSearchParams(toQueryString(await searchParams))
  const query = toListQuery(listOrQueue, readFilterParams(search))
  const { readCounts } = read
  const filter = omitSort(query)
  const key = parseLeadParam(listOrQueue, search.get('lead'))
  const lead = key && parseLeadKey(key)
  const answers = await Promise.all([
    prefetchAnswer(pageQueryKeys.page(listOrQueue, query, 0), () =>
      read.readPage({ ...query, offset: 0, limit: PAGE_SIZE }),
    ),
    prefetchAnswer(highSchoolsQuery.queryKey, read.readSchools),
    !isQueue(listOrQueue) &&
      readCounts !== null &&
      prefetchAnswer(listCountsQuery(listOrQueue, filter).queryKey, () => readCounts(filter)),
    lead && prefetchAnswer(singleLeadQuery(LISTS_BY_KIND[lead.kind].list, lead.id).queryKey, () => read.readLead(lead)),
  ])
  return <PrefetchedData json={JSON.stringify(answers.filter(Boolean))}>{children}</PrefetchedData>
}

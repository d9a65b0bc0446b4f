import type { ReactNode } from 'react'
import type { Answer } from '@/lib/contract/endpoints'
import { readFirst } from '@/lib/api/first-answer'
import {
  isQueue,
  keyInAddress,
  type LeadListQuery,
  leadPage,
  type LeadPage,
  oneLead,
  PAGE_SIZE,
  type Place,
} from '@/lib/api/leads'
import { highSchools, listCounts } from '@/lib/api/queries'
import { queryString } from '@/lib/api/send'
import type { LeadRef } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { filterOf, readFilterParams, toListQuery } from '@/lib/inbox/filter-params'
import { refOf } from '@/lib/leads/lead-key'
import { FirstData } from './first-data'

type Read = Promise<Omit<LeadPage, 'askedAt'>>
type InboxScreenProps = {
  place: Place
  searchParams: Promise<Record<string, string | string[] | undefined>>
  readPage: (query: LeadListQuery & { offset: number; limit: number }) => Read
  readLead: (lead: LeadRef) => Read
  readSchools: () => Promise<Answer<'GET /api/high-schools'>>
  children: ReactNode
  readCounts: ((filter: LeadFilter) => Promise<ListCounts>) | null
}

/** The first rows, the lead, schools and counts are in the HTML. The browser requests what cannot be read now. */
export async function InboxScreen({ place, searchParams, children, ...read }: InboxScreenProps) {
  const search = new URLSearchParams(queryString(await searchParams))
  const query = toListQuery(place, readFilterParams(search))
  const { readCounts } = read
  const filter = filterOf(query)
  const key = keyInAddress(place, search.get('lead'))
  const lead = key === null ? null : refOf(key)
  const answers = await Promise.all([
    readFirst(leadPage(place, query, 0).queryKey, () => read.readPage({ ...query, offset: 0, limit: PAGE_SIZE })),
    readFirst(highSchools.queryKey, read.readSchools),
    !isQueue(place) && readCounts !== null && readFirst(listCounts(place, filter).queryKey, () => readCounts(filter)),
    lead !== null && readFirst(oneLead(LISTS_BY_KIND[lead.kind].list, lead.id).queryKey, () => read.readLead(lead)),
  ])
  return <FirstData json={JSON.stringify(answers.filter(Boolean))}>{children}</FirstData>
}

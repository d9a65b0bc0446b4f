import { createDeskPage, type PageProps } from '@/app/(desk)/desk-page'
import { Inbox } from '@/components/inbox/inbox'
import { PrefetchedData } from '@/components/inbox/prefetched-data'
import {
  isQueue,
  type ListOrQueue,
  PAGE_SIZE,
  pageQueryKeys,
  parseLeadParam,
  singleLeadQuery,
  toLeadPage,
} from '@/lib/api/leads'
import { prefetchAnswer } from '@/lib/api/prefetched-answer'
import { highSchoolsQuery, listCountsQuery } from '@/lib/api/queries'
import { toQueryString } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { omitSort, parseFilterParams, toListQuery } from '@/lib/inbox/filter-params'
import { parseLeadKey } from '@/lib/leads/lead-key'
import type { Reader } from '@/server/access/viewer'
import { getServices } from '@/server/base/services'
import { listHighSchools } from '@/server/leads/high-schools'
import { getListCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'
import { listQueue } from '@/server/leads/list-queue'

export function createListPage(list: LeadList) {
  return createDeskPage({
    title: (t) => t(`inbox.${list}.title`),
    permission: 'leads:read',
    path: LISTS[list].href,
    screen: (props) => renderInbox(list, props),
  })
}

type InboxPageProps = Pick<PageProps, 'searchParams'> & { viewer: Reader }

/** Renders the inbox with the first rows, schools, counts and open lead. The browser requests what fails here. */
export async function renderInbox(listOrQueue: ListOrQueue, { viewer, searchParams }: InboxPageProps) {
  const services = getServices()
  const search = new URLSearchParams(toQueryString(await searchParams))
  const query = toListQuery(listOrQueue, parseFilterParams(search))
  const readRows = async () => {
    const firstPage = { ...query, offset: 0, limit: PAGE_SIZE }
    const answer = isQueue(listOrQueue)
      ? await listQueue(services, viewer, listOrQueue, firstPage)
      : await listLeads(services, viewer, listOrQueue, firstPage)
    return toLeadPage(listOrQueue, answer)
  }
  const prefetches = [
    prefetchAnswer(pageQueryKeys.page(listOrQueue, query, 0), readRows),
    prefetchAnswer(highSchoolsQuery.queryKey, () => listHighSchools(services, viewer)),
  ]
  if (!isQueue(listOrQueue)) {
    const filter = omitSort(query)
    const readCounts = () => getListCounts(services, viewer, { matching: { list: listOrQueue, ...filter } })
    prefetches.push(prefetchAnswer(listCountsQuery(listOrQueue, filter).queryKey, readCounts))
  }
  const leadKey = parseLeadParam(listOrQueue, search.get('lead'))
  if (leadKey !== null) {
    const { kind, id } = parseLeadKey(leadKey)
    const { list } = LISTS_BY_KIND[kind]
    const readLead = async () =>
      toLeadPage(list, await listLeads(services, viewer, list, { id: [id], offset: 0, limit: 1 }))
    prefetches.push(prefetchAnswer(singleLeadQuery(list, id).queryKey, readLead))
  }
  const answers = await Promise.all(prefetches)
  return (
    <PrefetchedData json={JSON.stringify(answers.filter((answer) => answer !== null))}>
      <Inbox key={listOrQueue} listOrQueue={listOrQueue} />
    </PrefetchedData>
  )
}

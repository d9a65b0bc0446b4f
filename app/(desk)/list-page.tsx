import { createDeskPage, type PageProps } from '@/app/(desk)/desk-page'
import { Inbox } from '@/components/inbox/inbox'
import { InboxScreen } from '@/components/inbox/inbox-screen'
import { isQueue, type ListOrQueue, readLeadPage } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
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

export function renderInbox(listOrQueue: ListOrQueue, { viewer, searchParams }: InboxPageProps) {
  const services = getServices()
  // `InboxScreen` is called, because React would render it later and outside the request, without its address.
  return InboxScreen({
    listOrQueue,
    searchParams,
    children: <Inbox key={listOrQueue} listOrQueue={listOrQueue} />,
    readPage: async (query) => {
      const read = isQueue(listOrQueue)
        ? listQueue(services, viewer, listOrQueue, query)
        : listLeads(services, viewer, listOrQueue, query)
      return readLeadPage(listOrQueue, await read)
    },
    readLead: async ({ kind, id }) => {
      const { list } = LISTS_BY_KIND[kind]
      return readLeadPage(list, await listLeads(services, viewer, list, { id: [id], offset: 0, limit: 1 }))
    },
    readSchools: () => listHighSchools(services, viewer),
    readCounts: isQueue(listOrQueue)
      ? null
      : (filter) => getListCounts(services, viewer, { matching: { list: listOrQueue, ...filter } }),
  })
}

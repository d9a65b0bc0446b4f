import { createDeskPage } from '@/app/(desk)/desk-page'
import { Inbox } from '@/components/inbox/inbox'
import { InboxScreen } from '@/components/inbox/inbox-screen'
import { readLeadPage } from '@/lib/api/leads'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Reader } from '@/server/access/viewer'
import { getServices } from '@/server/base/services'
import { listHighSchools } from '@/server/leads/high-schools'
import { getListCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'

export function createListPage(list: LeadList) {
  return createDeskPage({
    title: (t) => t(`inbox.${list}.title`),
    permission: 'leads:read',
    path: LISTS[list].href,
    // `InboxScreen` is called, because React would render it later and outside the request, without its address.
    screen: ({ viewer, searchParams }) =>
      InboxScreen({
        ...createInboxReaders(viewer),
        listOrQueue: list,
        children: <Inbox listOrQueue={list} />,
        searchParams,
        readPage: async (query) => readLeadPage(list, await listLeads(getServices(), viewer, list, query)),
        readCounts: (filter) => getListCounts(getServices(), viewer, { matching: { list, ...filter } }),
      }),
  })
}

export function createInboxReaders(viewer: Reader) {
  return {
    readSchools: () => listHighSchools(getServices(), viewer),
    readLead: async ({ kind, id }: LeadRef) => {
      const { list } = LISTS_BY_KIND[kind]
      return readLeadPage(list, await listLeads(getServices(), viewer, list, { id: [id], offset: 0, limit: 1 }))
    },
  }
}

import { deskPage } from '@/app/(desk)/desk-page'
import { InboxScreen } from '@/components/inbox/inbox-screen'
import { readLeadPage } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { listHighSchools } from '@/server/leads/high-schools'
import { listCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'
import { services } from '@/server/services'

export function listPage(list: LeadList) {
  return deskPage({
    title: (t) => t(`inbox.${list}.title`),
    permission: 'leads:read',
    path: LISTS[list].href,
    // Called here, not rendered by React later, because it reads the user's address.
    screen: ({ viewer, searchParams }) =>
      InboxScreen({
        list,
        searchParams,
        readPage: async (query) => readLeadPage(list, await listLeads(services(), viewer, list, query)),
        readSchools: () => listHighSchools(services(), viewer),
        readCounts: (filter) => listCounts(services(), viewer, { matching: { list, ...filter } }),
      }),
  })
}

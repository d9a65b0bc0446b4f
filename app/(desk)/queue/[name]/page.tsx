import { createDeskPage } from '@/app/(desk)/desk-page'
import { createInboxReaders } from '@/app/(desk)/list-page'
import { Inbox } from '@/components/inbox/inbox'
import { InboxScreen } from '@/components/inbox/inbox-screen'
import { readLeadPage } from '@/lib/api/leads'
import { findQueue } from '@/lib/contract/lists'
import { NotFoundError } from '@/server/base/errors'
import { getServices } from '@/server/base/services'
import { listQueue } from '@/server/leads/list-queue'

const { generateMetadata, Page } = createDeskPage({
  title: (t, { name = '' }) => t(`inbox.queues.${findQueue(name) ?? 'waiting'}`),
  permission: 'leads:read',
  path: '/queue/:name',
  screen: async ({ viewer, params, searchParams }) => {
    const queue = findQueue((await params)['name'] ?? '')
    if (queue === undefined) throw new NotFoundError()
    return InboxScreen({
      ...createInboxReaders(viewer),
      listOrQueue: queue,
      children: <Inbox key={queue} listOrQueue={queue} />,
      searchParams,
      readPage: async (query) => readLeadPage(queue, await listQueue(getServices(), viewer, queue, query)),
      readCounts: null,
    })
  },
})

export { generateMetadata, Page as default }

import { createDeskPage } from '@/app/(desk)/desk-page'
import { renderInbox } from '@/app/(desk)/list-page'
import { findQueue } from '@/lib/contract/lists'
import { NotFoundError } from '@/server/base/errors'

const { generateMetadata, Page } = createDeskPage({
  title: (t, { name = '' }) => t(`inbox.queues.${findQueue(name) ?? 'waiting'}`),
  permission: 'leads:read',
  path: '/queue/:name',
  screen: async ({ params, ...props }) => {
    const queue = findQueue((await params)['name'] ?? '')
    if (queue === undefined) throw new NotFoundError()
    return renderInbox(queue, props)
  },
})

export { generateMetadata, Page as default }

import { z } from 'zod'
import { FEED_LISTS } from '@/lib/contract/lists'
import { believeList } from '@/server/feed/believe-list'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ list: z.enum(FEED_LISTS) })

export const POST = route({ permission: 'admin', params }, ({ services, viewer, params: { list } }) =>
  believeList(services, viewer, list),
)

import { purgeAgreementSchema } from '@/lib/contract/feed-status'
import { route } from '@/server/http/route'
import { agreeToPurge, listPurgeHolds } from '@/server/retention/purge-holds'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ services, viewer }) => listPurgeHolds(services, viewer))

export const POST = route({ permission: 'admin', body: purgeAgreementSchema }, ({ services, viewer, body }) =>
  agreeToPurge(services, viewer, body.list),
)

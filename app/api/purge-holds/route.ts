import { purgeAgreementSchema } from '@/lib/contract/purge-hold'
import { route } from '@/server/http/route'
import { agreeToPurge, listPurgeHolds } from '@/server/retention/purge-holds'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ viewer }) => listPurgeHolds(viewer))

export const POST = route({ permission: 'admin', body: purgeAgreementSchema }, ({ viewer, body }) =>
  agreeToPurge(viewer, body.list),
)

import { routes } from '@/server/http/routes'
import { agreeToPurge, listPurgeHolds } from '@/server/privacy/purge-holds'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/purge-holds', {
  GET: listPurgeHolds,
  POST: agreeToPurge,
})

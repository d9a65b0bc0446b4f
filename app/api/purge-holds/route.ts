import { serve } from '@/server/http/routes'
import { approvePurge, listPurgeHolds } from '@/server/privacy/purge-holds'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/purge-holds', {
  GET: listPurgeHolds,
  POST: approvePurge,
})

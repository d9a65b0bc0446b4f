import { findLocale } from '@/server/access/cookies'
import { exportLeads } from '@/server/export/export-leads'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/exports', {
  GET: ({ exportLog }, viewer, query) => exportLog.readHistory(viewer, query),
  POST: (services, viewer, input, { request }) => exportLeads(services, viewer, input, findLocale(request)),
})

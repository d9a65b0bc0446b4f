import { screenLanguage } from '@/server/access/session-cookie'
import { exportLeads } from '@/server/export/export-leads'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/exports', {
  GET: ({ exportLog }, viewer, query) => exportLog.history(viewer, query),
  POST: (services, viewer, input, { request }) => exportLeads(services, viewer, input, screenLanguage(request)),
})

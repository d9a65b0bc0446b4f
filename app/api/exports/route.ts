import { answerExport, listExports } from '@/server/export/export-leads'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/exports', {
  GET: listExports,
  POST: answerExport,
})

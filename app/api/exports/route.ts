import { exportHistoryQuerySchema, exportRequestSchema } from '@/lib/contract/export'
import { download } from '@/server/export/download'
import { exportHistory } from '@/server/export/export-history'
import { exportLeads } from '@/server/export/export-leads'
import { screenLanguage } from '@/server/export/screen-language'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:export', query: exportHistoryQuerySchema }, ({ viewer, query }) =>
  exportHistory(viewer, query),
)

export const POST = route({ permission: 'leads:export', body: exportRequestSchema }, async ({ viewer, body }) => {
  const screen = await screenLanguage()
  return download(await exportLeads(viewer, body, screen), body, screen)
})

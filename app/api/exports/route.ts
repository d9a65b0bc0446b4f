import { exportHistoryQuerySchema, exportRequestSchema } from '@/lib/contract/export'
import { requireProofForMany } from '@/server/access/step-up'
import { download } from '@/server/export/download'
import { exportLeads } from '@/server/export/export-leads'
import { route } from '@/server/http/route'
import { screenLanguage } from '@/server/http/screen-language'

export * from '@/server/http/other-methods'

export const GET = route(
  { permission: 'leads:export', query: exportHistoryQuerySchema },
  ({ services, viewer, query }) => services.exportLog.history(viewer, query),
)

export const POST = route(
  { permission: 'leads:export', body: exportRequestSchema },
  async ({ services, viewer, session, body }) => {
    const screen = await screenLanguage()
    const agree = (count: number) => requireProofForMany(services, viewer, session, count)
    return download(await exportLeads(services, viewer, body, screen, agree), body, screen)
  },
)

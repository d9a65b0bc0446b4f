import { leadFollowUpQuerySchema } from '@/lib/contract/reading'
import { followLeads } from '@/server/activity/follow-up'
import { leadFollowUpFile } from '@/server/activity/follow-up-file'
import { route } from '@/server/http/route'
import { screenLanguage } from '@/server/http/screen-language'

export * from '@/server/http/other-methods'

export const GET = route(
  { permission: 'admin', query: leadFollowUpQuerySchema },
  async ({ services, viewer, query }) => {
    const found = await followLeads(services, viewer, query)
    return query.format === 'csv' ? leadFollowUpFile(found, await screenLanguage()) : found
  },
)

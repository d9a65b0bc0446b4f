import { readerFollowUpQuerySchema } from '@/lib/contract/reading'
import { followReader } from '@/server/activity/follow-up'
import { readerFollowUpFile } from '@/server/activity/follow-up-file'
import { route } from '@/server/http/route'
import { screenLanguage } from '@/server/http/screen-language'

export * from '@/server/http/other-methods'

export const GET = route(
  { permission: 'admin', query: readerFollowUpQuerySchema },
  async ({ services, viewer, query }) => {
    const found = await followReader(services, viewer, query)
    return query.format === 'csv' ? readerFollowUpFile(found, query, await screenLanguage()) : found
  },
)

import { createRoutes } from '@/server/http/routes'
import { getReplyWays, sendReply } from '@/server/replies/replies'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/replies', {
  GET: getReplyWays,
  POST: sendReply,
})

import { getReplyWays, sendReply } from '@/server/replies/replies'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/replies', {
  GET: getReplyWays,
  POST: sendReply,
})

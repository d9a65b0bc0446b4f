import { getReplyWays, sendReply } from '@/server/replies/replies'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/replies', {
  GET: getReplyWays,
  POST: sendReply,
})

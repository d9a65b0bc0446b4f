import { getReplyWays } from '@/server/desk/mail'
import { sendReply, settleReply } from '@/server/desk/replies'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/replies', {
  GET: getReplyWays,
  POST: sendReply,
  PATCH: settleReply,
})

import { canSend, sendReply } from '@/server/desk/replies'
import { settleReply } from '@/server/desk/settle-reply'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/replies', {
  GET: canSend,
  POST: sendReply,
  PATCH: settleReply,
})

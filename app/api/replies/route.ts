import { replySchema, settleReplySchema } from '@/lib/contract/attempts'
import { canSend, sendReply } from '@/server/desk/replies'
import { settleReply } from '@/server/desk/settle-reply'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:reply' }, ({ services, viewer }) => canSend(services, viewer))

export const POST = route({ permission: 'leads:reply', body: replySchema }, ({ services, viewer, body }) =>
  sendReply(services, viewer, body),
)

export const PATCH = route({ permission: 'leads:reply', body: settleReplySchema }, ({ services, viewer, body }) =>
  settleReply(services, viewer, body),
)

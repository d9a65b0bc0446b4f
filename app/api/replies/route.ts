import { replySchema } from '@/lib/contract/attempts'
import { canSend, sendReply } from '@/server/desk/replies'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:reply' }, ({ services, viewer }) => canSend(services, viewer))

export const POST = route({ permission: 'leads:reply', body: replySchema }, ({ services, viewer, body }) =>
  sendReply(services, viewer, body),
)

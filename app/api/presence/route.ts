import { presenceSchema } from '@/lib/contract/colleagues'
import { route } from '@/server/http/route'
import { updatePresence } from '@/server/desk/presence'

export * from '@/server/http/other-methods'

/** A page that is closed says so by a beacon, whose JSON comes as text. */
const types = ['application/json', 'text/plain']

export const POST = route(
  { permission: 'leads:read', body: presenceSchema, types, load: 'read' },
  ({ services, viewer, body }) => updatePresence(services, viewer, body),
)

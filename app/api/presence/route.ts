import { presenceSchema } from '@/lib/contract/presence'
import { parseBody } from '@/server/http/parse-body'
import { route } from '@/server/http/route'
import { notePresence } from '@/server/presence/note-presence'

export * from '@/server/http/other-methods'

/** A page that is closed says so by a beacon, whose JSON comes as text. */
const types = ['application/json', 'text/plain']

export const POST = route({ permission: 'leads:read' }, async ({ viewer, request }) =>
  notePresence(viewer, await parseBody(request, presenceSchema, types)),
)

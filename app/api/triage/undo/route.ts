import { undoSchema } from '@/lib/contract/triage'
import { route } from '@/server/http/route'
import { undoTriage } from '@/server/triage/undo-triage'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'leads:triage', body: undoSchema }, ({ services, viewer, body }) =>
  undoTriage(services, viewer, body.undo),
)

import { undoSchema } from '@/lib/contract/triage'
import { route } from '@/server/http/route'
import { recentChanges } from '@/server/triage/recent-changes'
import { undoTriage } from '@/server/triage/undo-triage'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:triage' }, ({ services, viewer }) => recentChanges(services, viewer))

export const POST = route({ permission: 'leads:triage', body: undoSchema }, ({ services, viewer, body }) =>
  undoTriage(services, viewer, body.undo),
)

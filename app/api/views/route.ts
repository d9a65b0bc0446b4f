import { newViewSchema } from '@/lib/contract/saved-view'
import { route } from '@/server/http/route'
import { addView, listViews } from '@/server/desk/saved-views'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read' }, ({ services, viewer }) => listViews(services, viewer))

export const POST = route({ permission: 'leads:read', body: newViewSchema }, ({ services, viewer, body }) =>
  addView(services, viewer, body),
)

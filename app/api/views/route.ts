import { newViewSchema } from '@/lib/contract/saved-view'
import { route } from '@/server/http/route'
import { addView } from '@/server/views/add-view'
import { listViews } from '@/server/views/list-views'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read' }, ({ viewer }) => listViews(viewer))

export const POST = route({ permission: 'leads:read', body: newViewSchema }, ({ viewer, body }) =>
  addView(viewer, body),
)

import { z } from 'zod'
import { route } from '@/server/http/route'
import { deleteView } from '@/server/desk/saved-views'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const DELETE = route({ permission: 'leads:read', params }, async ({ services, viewer, params: { id } }) => {
  await deleteView(services, viewer, id)
  return {}
})

import { z } from 'zod'
import { route } from '@/server/http/route'
import { deleteView } from '@/server/views/delete-view'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const DELETE = route({ permission: 'leads:read', params }, async ({ viewer, params: { id } }) => {
  await deleteView(viewer, id)
  return {}
})

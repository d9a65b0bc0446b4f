import { z } from 'zod'
import { route } from '@/server/http/route'
import { deleteNote } from '@/server/desk/notes'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const DELETE = route({ permission: 'leads:triage', params }, async ({ services, viewer, params: { id } }) => {
  await deleteNote(services, viewer, id)
  return {}
})

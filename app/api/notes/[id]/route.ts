import { z } from 'zod'
import { route } from '@/server/http/route'
import { deleteNote } from '@/server/notes/delete-note'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const DELETE = route({ permission: 'leads:triage', params }, async ({ viewer, params: { id } }) => {
  await deleteNote(viewer, id)
  return {}
})

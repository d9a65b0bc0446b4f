import { z } from 'zod'
import { newTemplateSchema } from '@/lib/contract/reply-template'
import { route } from '@/server/http/route'
import { deleteTemplate } from '@/server/templates/delete-template'
import { changeTemplate } from '@/server/templates/save-template'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const PUT = route({ permission: 'admin', params, body: newTemplateSchema }, (call) =>
  changeTemplate(call.viewer, call.params.id, call.body),
)

export const DELETE = route({ permission: 'admin', params }, async ({ viewer, params: { id } }) => {
  await deleteTemplate(viewer, id)
  return {}
})

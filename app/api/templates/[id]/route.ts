import { z } from 'zod'
import { newTemplateSchema } from '@/lib/contract/reply-template'
import { route } from '@/server/http/route'
import { deleteTemplate, changeTemplate } from '@/server/desk/reply-templates'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const PUT = route(
  { permission: 'admin', params, body: newTemplateSchema, proof: true },
  ({ services, viewer, params: { id }, body }) => changeTemplate(services, viewer, id, body),
)

export const DELETE = route(
  { permission: 'admin', params, proof: true },
  async ({ services, viewer, params: { id } }) => {
    await deleteTemplate(services, viewer, id)
    return {}
  },
)

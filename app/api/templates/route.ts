import { newTemplateSchema } from '@/lib/contract/reply-template'
import { route } from '@/server/http/route'
import { listTemplates, addTemplate } from '@/server/desk/reply-templates'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read' }, ({ services, viewer }) => listTemplates(services, viewer))

export const POST = route({ permission: 'admin', body: newTemplateSchema, proof: true }, ({ services, viewer, body }) =>
  addTemplate(services, viewer, body),
)

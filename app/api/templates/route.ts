import { newTemplateSchema } from '@/lib/contract/reply-template'
import { route } from '@/server/http/route'
import { listTemplates } from '@/server/templates/list-templates'
import { addTemplate } from '@/server/templates/save-template'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read' }, ({ viewer }) => listTemplates(viewer))

export const POST = route({ permission: 'admin', body: newTemplateSchema }, ({ viewer, body }) =>
  addTemplate(viewer, body),
)

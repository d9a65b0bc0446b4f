import { z } from 'zod'
import { getContact } from '@/server/contacts/get-contact'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const GET = route({ permission: 'leads:read', params }, ({ services, viewer, params: { id } }) =>
  getContact(services, viewer, id),
)

import { routes } from '@/server/http/routes'
import { contactRights } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/contacts/[id]/rights', { GET: contactRights })

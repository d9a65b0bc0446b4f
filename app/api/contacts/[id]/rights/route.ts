import { routes } from '@/server/http/routes'
import { contactRights } from '@/server/rights/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/contacts/[id]/rights', { GET: contactRights })

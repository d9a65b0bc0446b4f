import { serve } from '@/server/http/routes'
import { getContactRights } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/contacts/[id]/rights', { GET: getContactRights })

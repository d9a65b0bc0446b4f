import { serve } from '@/server/http/routes'
import { makeExtract } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/contacts/[id]/extract', { POST: makeExtract })

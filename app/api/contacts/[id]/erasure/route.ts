import { serve } from '@/server/http/routes'
import { eraseData } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/contacts/[id]/erasure', { POST: eraseData })

import { acceptPasswordLink } from '@/server/access/invitations'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/invitations', { POST: acceptPasswordLink })

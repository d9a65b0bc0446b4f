import { acceptInvitation } from '@/server/access/invitations'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/invitations', { POST: acceptInvitation })

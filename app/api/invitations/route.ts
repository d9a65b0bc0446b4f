import { acceptInvitation } from '@/server/access/invitations'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/invitations', { POST: acceptInvitation })

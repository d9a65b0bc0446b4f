import { createRoutes } from '@/server/http/routes'
import { acceptInvitation } from '@/server/access/invitations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/invitations', { POST: acceptInvitation })

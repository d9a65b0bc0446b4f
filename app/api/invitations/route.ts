import { routes } from '@/server/http/routes'
import { acceptInvitation } from '@/server/access/invitations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/invitations', { POST: acceptInvitation })

import { routes } from '@/server/http/routes'
import { acceptInvitation } from '@/server/users/invitations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/invitations', { POST: acceptInvitation })

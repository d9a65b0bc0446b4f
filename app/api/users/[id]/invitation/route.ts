import { createRoutes } from '@/server/http/routes'
import { issueLink } from '@/server/access/manage-users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users/[id]/invitation', { POST: issueLink })

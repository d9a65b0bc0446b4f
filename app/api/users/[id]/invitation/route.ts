import { issueLink } from '@/server/access/manage-users'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users/[id]/invitation', {
  POST: issueLink,
})

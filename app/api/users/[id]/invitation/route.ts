import { issueLink } from '@/server/access/manage-users'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/users/[id]/invitation', { POST: issueLink })

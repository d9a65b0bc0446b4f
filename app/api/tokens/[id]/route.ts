import { withdrawToken } from '@/server/access/tokens'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/tokens/[id]', { DELETE: withdrawToken })

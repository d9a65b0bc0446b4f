import { createToken, listTokens } from '@/server/access/tokens'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/tokens', { GET: listTokens, POST: createToken })

import { changeSignInRules } from '@/server/access/sign-in-rules'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/sign-in-rules', { PUT: changeSignInRules })

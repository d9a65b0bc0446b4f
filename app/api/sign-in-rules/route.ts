import { changeSignInRules } from '@/server/access/sign-in-rules'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/sign-in-rules', { PUT: changeSignInRules })

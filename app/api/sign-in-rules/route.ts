import { changeSignInRules } from '@/server/access/sign-in-rules'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/sign-in-rules', { PUT: changeSignInRules })

import { changeOwnPassword } from '@/server/access/own-password'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/account/password', { POST: changeOwnPassword })

import { changeOwnPassword } from '@/server/access/passwords'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/account/password', { POST: changeOwnPassword })

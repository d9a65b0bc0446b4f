import { routes } from '@/server/http/routes'
import { changeUser } from '@/server/users/administration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users/[id]', { PATCH: changeUser })

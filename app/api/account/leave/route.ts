import { routes } from '@/server/http/routes'
import { getOwnLeave, setOwnLeave } from '@/server/settings/work'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/account/leave', {
  GET: getOwnLeave,
  PUT: setOwnLeave,
})

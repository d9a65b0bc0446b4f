import { routes } from '@/server/http/routes'
import { changeReadingLimits, getReadingLimits } from '@/server/settings/settings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/reading/limits', {
  GET: getReadingLimits,
  PUT: changeReadingLimits,
})

import { unusualReading } from '@/server/activity/reading-hours'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/reading/unusual', { GET: unusualReading })

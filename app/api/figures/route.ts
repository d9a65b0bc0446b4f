import { routes } from '@/server/http/routes'
import { serveFigures } from '@/server/interest/figures'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/figures', { GET: serveFigures })

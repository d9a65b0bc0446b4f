import { routes } from '@/server/http/routes'
import { topicFigures } from '@/server/interest/topic-figures'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/interest/topics', { GET: topicFigures })

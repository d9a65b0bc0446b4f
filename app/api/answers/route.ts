import { saveAnswer } from '@/server/desk/reply-templates'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/answers', {
  POST: saveAnswer,
})

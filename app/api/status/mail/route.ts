import { sendTestMail } from '@/server/replies/test-mail'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/status/mail', { POST: sendTestMail })

import { testMail } from '@/server/replies/test-mail'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/status/mail', { POST: testMail })

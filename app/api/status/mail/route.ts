import { serve } from '@/server/http/routes'
import { sendTestMail } from '@/server/replies/test-mail'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/status/mail', { POST: sendTestMail })

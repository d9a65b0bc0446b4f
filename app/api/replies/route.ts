import { serve } from '@/server/http/routes'
import { getReplyWays, sendReply } from '@/server/replies/replies'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/replies', { GET: getReplyWays, POST: sendReply })

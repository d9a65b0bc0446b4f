import { answerLeadFollowUp } from '@/server/activity/follow-up'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/log-follow-up/leads', {
  GET: answerLeadFollowUp,
})

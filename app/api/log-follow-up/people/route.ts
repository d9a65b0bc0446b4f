import { answerReaderFollowUp } from '@/server/activity/follow-up'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/log-follow-up/people', {
  GET: answerReaderFollowUp,
})

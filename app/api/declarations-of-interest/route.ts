import { declarationsQuerySchema } from '@/lib/contract/list-query'
import { route } from '@/server/http/route'
import { answerList } from '@/server/leads/list-leads'

export * from '@/server/http/other-methods'

export const GET = route(
  { permission: 'leads:read', query: declarationsQuerySchema },
  ({ services, viewer, query, request }) => answerList(services, viewer, 'declarations-of-interest', query, request),
)

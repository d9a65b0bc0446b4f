import { askedQuestionsQuerySchema } from '@/lib/contract/list-query'
import { route } from '@/server/http/route'
import { listLeads } from '@/server/leads/list-leads'

export * from '@/server/http/other-methods'

export const GET = route(
  { permission: 'leads:read', query: askedQuestionsQuerySchema },
  ({ services, viewer, query }) => listLeads(services, viewer, 'asked-questions', query),
)

import { askedQuestionsQuerySchema } from '@/lib/contract/list-query'
import { route } from '@/server/http/route'
import { listAskedQuestions } from '@/server/leads/list-asked-questions'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read', query: askedQuestionsQuerySchema }, ({ viewer, query }) =>
  listAskedQuestions(viewer, query),
)

import { answerAuth } from '@/server/http/next-auth'
import { routes, type Verb } from '@/server/http/routes'
import { ready } from '@/server/http/health'
import type { Endpoints } from '@/lib/contract/endpoints'

const answer: Verb<Endpoints['GET /api/auth/[...nextauth]']> = (services, request, context) =>
  services.lifecycle.isComing() ? ready(services) : answerAuth(services, request, context)

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/auth/[...nextauth]', {
  GET: answer,
  POST: answer,
})

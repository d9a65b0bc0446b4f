import { answerAuth } from '@/server/http/next-auth'
import { createRoutes, type Verb } from '@/server/http/routes'
import { getReadiness } from '@/server/http/health'
import type { Endpoints } from '@/lib/contract/endpoints'

const answer: Verb<Endpoints['GET /api/auth/[...nextauth]']> = (services, request, context) =>
  services.lifecycle.isStarting() ? getReadiness(services) : answerAuth(services, request, context)

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/auth/[...nextauth]', {
  GET: answer,
  POST: answer,
})

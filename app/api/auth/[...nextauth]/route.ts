import type { Endpoints } from '@/lib/contract/endpoints'
import { getReadiness } from '@/server/http/health'
import { answerAuth } from '@/server/http/next-auth'
import { serve } from '@/server/http/routes'
import type { Verb } from '@/server/http/verb'

/** While the server starts, it answers 503 as its readiness does, because users cannot be read yet. */
const answer: Verb<Endpoints['GET /api/auth/[...nextauth]']> = (services, request, context) =>
  services.lifecycle.isStarting() ? getReadiness(services) : answerAuth(services, request, context)

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/auth/[...nextauth]', {
  GET: answer,
  POST: answer,
})

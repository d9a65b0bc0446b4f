import type { NextRequest } from 'next/server'
import { answerAuth, type AuthContext } from '@/server/access/next-auth'
import { ready } from '@/server/operations/readiness'
import { services } from '@/server/services'

export * from '@/server/http/other-methods'

async function answer(request: NextRequest, context: AuthContext): Promise<Response> {
  const parts = services()
  return parts.lifecycle.isComing() ? ready(parts) : answerAuth(parts, request, context)
}

export { answer as GET, answer as POST }

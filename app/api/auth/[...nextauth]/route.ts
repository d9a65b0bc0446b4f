import type { NextRequest } from 'next/server'
import { answerAuth, type AuthContext } from '@/server/access/next-auth'
import { services } from '@/server/services'

export * from '@/server/http/other-methods'

const answer = (request: NextRequest, context: AuthContext) => answerAuth(services(), request, context)

export { answer as GET, answer as POST }

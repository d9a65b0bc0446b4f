import { answerAuth } from '@/server/access/answer-auth'

export * from '@/server/http/other-methods'

export { answerAuth as GET, answerAuth as POST }

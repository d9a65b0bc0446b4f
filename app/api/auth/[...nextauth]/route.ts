import { answerAuth } from '@/server/access/answer-auth'

export { answerAuth as GET, answerAuth as POST }

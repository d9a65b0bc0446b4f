import { routes } from '@/server/http/routes'
import { answerTriage } from '@/server/triage/change-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/triage', { PATCH: answerTriage })

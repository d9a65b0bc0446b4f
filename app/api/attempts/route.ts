import { newAttemptSchema } from '@/lib/contract/attempts'
import { route } from '@/server/http/route'
import { addAttempt } from '@/server/triage/attempts'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'leads:reply', body: newAttemptSchema }, ({ services, viewer, body }) =>
  addAttempt(services, viewer, body),
)

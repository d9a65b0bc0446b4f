import { triageChangeSchema } from '@/lib/contract/triage'
import { route } from '@/server/http/route'
import { setTriage, streamTriage, wantsProgress } from '@/server/triage/change-triage'

export * from '@/server/http/other-methods'

export const PATCH = route(
  { permission: 'leads:triage', body: triageChangeSchema },
  ({ services, viewer, body, request }) =>
    wantsProgress(request) ? streamTriage(services, viewer, body, request) : setTriage(services, viewer, body),
)

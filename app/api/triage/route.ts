import { triageChangeSchema } from '@/lib/contract/triage'
import { route } from '@/server/http/route'
import { setTriage } from '@/server/triage/set-triage'
import { streamTriage, wantsProgress } from '@/server/triage/stream-triage'

export * from '@/server/http/other-methods'

export const PATCH = route({ permission: 'leads:triage', body: triageChangeSchema }, ({ viewer, body, request }) =>
  wantsProgress(request) ? streamTriage(viewer, body, request) : setTriage(viewer, body),
)

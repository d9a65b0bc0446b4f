import { triageChangeSchema } from '@/lib/contract/triage'
import { route } from '@/server/http/route'
import { setTriage } from '@/server/triage/set-triage'

export const PATCH = route({ permission: 'leads:triage', body: triageChangeSchema }, ({ viewer, body }) =>
  setTriage(viewer, body),
)

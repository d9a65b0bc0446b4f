import { z } from 'zod'
import { preferenceBodySchema } from '@/lib/contract/preferences'
import { route } from '@/server/http/route'
import { getPreference, setPreference } from '@/server/settings/preferences'

export * from '@/server/http/other-methods'

const params = z.object({ name: z.string().max(100) })

export const GET = route({ permission: 'signed-in', params }, ({ services, viewer, params: at }) =>
  getPreference(services, viewer, at.name),
)

export const PUT = route(
  { permission: 'signed-in', params, body: preferenceBodySchema },
  ({ services, viewer, params: at, body }) => setPreference(services, viewer, at.name, body.value),
)

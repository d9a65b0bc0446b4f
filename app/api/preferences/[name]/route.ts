import { z } from 'zod'
import { preferenceBodySchema } from '@/lib/contract/preferences'
import { route } from '@/server/http/route'
import { getPreference } from '@/server/preferences/get-preference'
import { setPreference } from '@/server/preferences/set-preference'

export * from '@/server/http/other-methods'

const params = z.object({ name: z.string().max(100) })

export const GET = route({ permission: 'signed-in', params }, (call) => getPreference(call.viewer, call.params.name))

export const PUT = route(
  { permission: 'signed-in', params, body: preferenceBodySchema },
  ({ viewer, params: at, body }) => setPreference(viewer, at.name, body.value),
)

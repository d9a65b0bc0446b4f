import { z } from 'zod'
import { removeOwnFactor } from '@/server/access/enrol-factors'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

/** A passkey's id is what its device calls it. */
const params = z.object({ id: z.string().max(2_000) })

export const DELETE = route(
  { permission: 'signed-in', params, proof: true },
  async ({ services, viewer, params: { id } }) => {
    await removeOwnFactor(services, viewer, id)
    return {}
  },
)

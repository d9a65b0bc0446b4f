import { renewRecoveryCodes } from '@/server/access/enrol-factors'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'signed-in', proof: true }, ({ services, viewer }) =>
  renewRecoveryCodes(services, viewer),
)

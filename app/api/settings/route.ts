import { workSettingsChangeSchema } from '@/lib/contract/work-settings'
import { requireProof } from '@/server/access/step-up'
import { route } from '@/server/http/route'
import { changeWorkSettings, getWorkSettings } from '@/server/settings/work'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ services, viewer }) => getWorkSettings(services, viewer))

export const PATCH = route(
  { permission: 'admin', body: workSettingsChangeSchema },
  async ({ services, viewer, session, body }) => {
    // Whoever sets where answers go reads what people answer.
    if (body.replyTo) await requireProof(services, session)
    return changeWorkSettings(services, viewer, body)
  },
)

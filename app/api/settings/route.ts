import { workSettingsChangeSchema } from '@/lib/contract/work-settings'
import { route } from '@/server/http/route'
import { changeWorkSettings, getWorkSettings } from '@/server/settings/work'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ services, viewer }) => getWorkSettings(services, viewer))

export const PATCH = route({ permission: 'admin', body: workSettingsChangeSchema }, ({ services, viewer, body }) =>
  changeWorkSettings(services, viewer, body),
)

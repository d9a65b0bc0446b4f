import { readingLimitsSchema } from '@/lib/contract/reading'
import { route } from '@/server/http/route'
import { changeReadingLimits, getReadingLimits } from '@/server/settings/reading-limits'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ services, viewer }) => getReadingLimits(services, viewer))

export const PUT = route(
  { permission: 'admin', body: readingLimitsSchema, proof: true },
  ({ services, viewer, body }) => changeReadingLimits(services, viewer, body),
)

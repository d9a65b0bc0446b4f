import { newProtectionSchema } from '@/lib/contract/rights'
import { route } from '@/server/http/route'
import { listProtections } from '@/server/rights/list-protections'
import { protectPerson } from '@/server/rights/protect'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ services, viewer }) => listProtections(services, viewer))

export const POST = route(
  { permission: 'admin', body: newProtectionSchema, proof: true },
  ({ services, viewer, body }) => protectPerson(services, viewer, body),
)

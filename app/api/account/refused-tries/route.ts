import { refusedTries } from '@/server/access/refused-tries'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'signed-in' }, ({ services, viewer }) => refusedTries(services, viewer))

import { testMail } from '@/server/desk/test-mail'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'admin' }, ({ services, viewer }) => testMail(services, viewer))

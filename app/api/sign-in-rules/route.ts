import { signInRulesSchema } from '@/lib/contract/second-factor'
import { changeSignInRules, getSignInRules } from '@/server/access/sign-in-rules'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ services, viewer }) => getSignInRules(services, viewer))

export const PUT = route({ permission: 'admin', body: signInRulesSchema, proof: true }, ({ services, viewer, body }) =>
  changeSignInRules(services, viewer, body),
)

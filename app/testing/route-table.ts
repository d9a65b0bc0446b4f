import { type EndpointName, endpoints } from '@/lib/contract/endpoints'
import type { Endpoint } from '@/lib/contract/endpoint'
import { permissionsByRole } from '@/server/access/viewer'
import { examples, type Example } from './examples'
import type { World } from './world'

/**
 * Every route and page, and what each is answered: staff of the lead's school, staff of another school, staff of none, a
 * manager, an administrator. The rows of the endpoints follow from their declarations and examples.
 *
 * Nobody signed in, or no longer: 401, and pages lead to sign-in; `nobody` overrides it. What comes from
 * another origin and changes something: 403; `foreign` overrides it.
 */
export type Row = {
  at: string
  who: Who
  nobody?: Answer
  foreign?: 'like-own' | 'needs-none'
  ask?: (world: World) => Ask | Promise<Ask>
}

export type Who = readonly [own: Answer, other: Answer, none: Answer, manager: Answer, admin: Answer]
export type Answer = number | 'shown' | 'no access' | 'not found' | `to ${string}`
export type Ask = { params?: Record<string, unknown>; query?: Record<string, string | string[]>; body?: unknown }

const all = (answer: Answer) => [answer, answer, answer, answer, answer] as const
const adminPage = ['no access', 'no access', 'no access', 'no access', 'shown'] as const
const leadPage = ['shown', 'shown', 'shown', 'no access', 'shown'] as const

function rowOf([name, endpoint]: [string, Endpoint]): Row {
  const { gets = 200, ofSchool, ...example }: Example = examples[name as EndpointName] ?? {}
  const { who: needed } = endpoint
  const isOpen = needed === 'anyone'
  const isLet = (role: keyof typeof permissionsByRole) =>
    isOpen || needed === 'signed-in' || permissionsByRole[role].has(needed)
  const staff = isLet('staff') ? gets : 403
  const elsewhere = isLet('staff') && ofSchool ? 404 : staff
  const who = [staff, elsewhere, elsewhere, isLet('manager') ? gets : 403, isLet('admin') ? gets : 403] as const
  return { at: name, who, ...(isOpen && { nobody: gets }), ...example }
}

export const endpointRows: readonly Row[] = Object.entries(endpoints).map(rowOf)

const otherRows: readonly Row[] = [
  {
    at: 'DELETE GET OPTIONS PATCH POST PUT /api/[[...path]]',
    who: all(404),
    nobody: 404,
    ask: () => ({ params: { path: ['x'] } }),
  },
  // The demo's external service asks for a token of its own, and nothing can be changed there.
  { at: 'GET HEAD /external/[...path]', who: all(401), ask: () => ({ params: { path: ['highSchools'] } }) },
  {
    at: 'DELETE OPTIONS PATCH POST PUT /external/[...path]',
    who: all(405),
    nobody: 405,
    foreign: 'like-own',
    ask: () => ({ params: { path: ['highSchools'] } }),
  },
  { at: 'PAGE /', who: ['to /today', 'to /today', 'to /today', 'to /interest', 'to /today'] },
  { at: 'PAGE /today', who: leadPage },
  { at: 'PAGE /declarations', who: leadPage },
  { at: 'PAGE /questions', who: leadPage },
  { at: 'PAGE /queue/[name]', who: leadPage, ask: () => ({ params: { name: 'waiting' } }) },
  {
    at: 'PAGE /contacts/[id]',
    who: ['shown', 'not found', 'not found', 'no access', 'shown'],
    ask: ({ contact }) => ({ params: { id: contact } }),
  },
  { at: 'PAGE /exports', who: leadPage },
  { at: 'PAGE /interest', who: all('shown') },
  { at: 'PAGE /account', who: all('shown') },
  { at: 'PAGE /help', who: all('shown') },
  { at: 'PAGE /admin', who: adminPage },
  { at: 'PAGE /admin/users', who: adminPage },
  { at: 'PAGE /second-factor', who: all('to /') },
  { at: 'PAGE /proof', who: all('shown') },
  { at: 'PAGE /admin/activity', who: adminPage },
  { at: 'PAGE /admin/templates', who: ['shown', 'shown', 'shown', 'no access', 'to /admin/work#templates'] },
  { at: 'PAGE /admin/work', who: adminPage },
  { at: 'PAGE /admin/status', who: adminPage },
  { at: 'PAGE /signin', who: all('to /'), nobody: 'shown' },
  { at: 'PAGE /invite', who: all('shown'), nobody: 'shown' },
]

export const rows: readonly (Row & { method: string })[] = [...endpointRows, ...otherRows]
  .flatMap((row) => {
    const [path = '', ...methods] = row.at.split(' ').toReversed()
    return methods.map((method) => ({ ...row, at: `${method} ${path}`, method }))
  })
  .toSorted((a, b) => Number(isReading(a)) - Number(isReading(b)))

export function isReading({ method }: { method: string }): boolean {
  return ['PAGE', 'GET', 'HEAD', 'OPTIONS'].includes(method)
}

import type { Endpoint } from '@/lib/contract/endpoint'
import { type EndpointName, endpoints } from '@/lib/contract/endpoints'
import { PERMISSIONS_BY_ROLE } from '@/server/access/permissions'
import { type Example, examples } from './examples'
import type { World } from './world'

/**
 * A route or page, and the answers that five users get: staff of the lead's school, staff of another school, staff of none, a
 * manager, an administrator. The rows of the endpoints follow from their declarations and examples.
 *
 * Without a session routes answer 401 and pages redirect to sign-in, unless `nobody` says otherwise. Changes from another
 * origin are answered 403, unless `foreign` says otherwise.
 */
export type Row = {
  name: string
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

function toRow([name, endpoint]: [string, Endpoint]): Row {
  const { gets = 200, ofSchool, ...example }: Example = examples[name as EndpointName] ?? {}
  const { who: needed } = endpoint
  const isOpen = needed === 'anyone'
  const isPermitted = (role: keyof typeof PERMISSIONS_BY_ROLE) =>
    isOpen || needed === 'signed-in' || PERMISSIONS_BY_ROLE[role].has(needed)
  const staff = isPermitted('staff') ? gets : 403
  const elsewhere = isPermitted('staff') && ofSchool ? 404 : staff
  const who = [
    staff,
    elsewhere,
    elsewhere,
    isPermitted('manager') ? gets : 403,
    isPermitted('admin') ? gets : 403,
  ] as const
  return { name, who, ...(isOpen && { nobody: gets }), ...example }
}

export const endpointRows: readonly Row[] = Object.entries(endpoints).map(toRow)

const otherRows: readonly Row[] = [
  {
    name: 'DELETE GET OPTIONS PATCH POST PUT /api/[[...path]]',
    who: all(404),
    nobody: 404,
    ask: () => ({ params: { path: ['x'] } }),
  },
  // The demo's external service asks for a token of its own, and nothing can be changed there.
  { name: 'GET HEAD /external/[...path]', who: all(401), ask: () => ({ params: { path: ['highSchools'] } }) },
  {
    name: 'DELETE OPTIONS PATCH POST PUT /external/[...path]',
    who: all(405),
    nobody: 405,
    foreign: 'like-own',
    ask: () => ({ params: { path: ['highSchools'] } }),
  },
  { name: 'PAGE /', who: ['to /today', 'to /today', 'to /today', 'to /interest', 'to /today'] },
  { name: 'PAGE /today', who: leadPage },
  { name: 'PAGE /declarations', who: leadPage },
  { name: 'PAGE /questions', who: leadPage },
  { name: 'PAGE /queue/[name]', who: leadPage, ask: () => ({ params: { name: 'waiting' } }) },
  {
    name: 'PAGE /contacts/[id]',
    who: ['shown', 'not found', 'not found', 'no access', 'shown'],
    ask: ({ contact }) => ({ params: { id: contact } }),
  },
  { name: 'PAGE /exports', who: leadPage },
  { name: 'PAGE /interest', who: all('shown') },
  { name: 'PAGE /account', who: all('shown') },
  { name: 'PAGE /help', who: all('shown') },
  { name: 'PAGE /admin', who: adminPage },
  { name: 'PAGE /admin/users', who: adminPage },
  { name: 'PAGE /second-factor', who: all('to /') },
  { name: 'PAGE /proof', who: all('shown') },
  { name: 'PAGE /admin/activity', who: adminPage },
  { name: 'PAGE /admin/templates', who: ['shown', 'shown', 'shown', 'no access', 'to /admin/work#templates'] },
  { name: 'PAGE /admin/work', who: adminPage },
  { name: 'PAGE /admin/status', who: adminPage },
  { name: 'PAGE /signin', who: all('to /'), nobody: 'shown' },
  { name: 'PAGE /invite', who: all('shown'), nobody: 'shown' },
]

export const rows: readonly (Row & { method: string })[] = [...endpointRows, ...otherRows]
  .flatMap((row) => {
    const [path = '', ...methods] = row.name.split(' ').toReversed()
    return methods.map((method) => ({ ...row, name: `${method} ${path}`, method }))
  })
  .toSorted((a, b) => Number(isReading(a)) - Number(isReading(b)))

export function isReading({ method }: { method: string }): boolean {
  return ['PAGE', 'GET', 'HEAD', 'OPTIONS'].includes(method)
}

import type { Endpoint } from '@/lib/contract/endpoint'
import { type EndpointName, endpoints } from '@/lib/contract/endpoints'
import { PERMISSIONS_BY_ROLE } from '@/server/access/permissions'
import { type Example, examples } from './examples'
import type { World } from './world'

/** A method of a route, or a page, with what five users get. Endpoints have rows by their declarations and examples. */
export type RouteRow = {
  name: string
  outcomes: Outcomes
  /** The default is 401 for a route, and a redirect to the sign-in for a page. */
  withoutSession?: Outcome
  /** By default a change needs the own origin, or is answered 403. `own-or-none` also accepts one without an origin. */
  originRule?: 'any' | 'own-or-none'
  input?: (world: World) => RouteInput | Promise<RouteInput>
}

/** What staff of the lead's school, of another and of none get, a manager, and an administrator. */
export type Outcomes = readonly [own: Outcome, other: Outcome, none: Outcome, manager: Outcome, admin: Outcome]
export type Outcome = number | 'shown' | 'no access' | 'not found' | `to ${string}`
export type RouteInput = { params?: Record<string, unknown>; query?: Record<string, string | string[]>; body?: unknown }

const forAll = (outcome: Outcome) => [outcome, outcome, outcome, outcome, outcome] as const
const adminPage = ['no access', 'no access', 'no access', 'no access', 'shown'] as const
const leadPage = ['shown', 'shown', 'shown', 'no access', 'shown'] as const

function toRow([name, endpoint]: [string, Endpoint]): RouteRow {
  const { status = 200, ofSchool, ...example }: Example = examples[name as EndpointName] ?? {}
  const { who } = endpoint
  const statusFor = (role: keyof typeof PERMISSIONS_BY_ROLE) =>
    who === 'anyone' || who === 'signed-in' || PERMISSIONS_BY_ROLE[role].has(who) ? status : 403
  const staffStatus = statusFor('staff')
  const otherStatus = staffStatus !== 403 && ofSchool ? 404 : staffStatus
  const outcomes = [staffStatus, otherStatus, otherStatus, statusFor('manager'), statusFor('admin')] as const
  return { name, outcomes, ...(who === 'anyone' && { withoutSession: status }), ...example }
}

const otherRows: readonly RouteRow[] = [
  {
    name: 'DELETE GET OPTIONS PATCH POST PUT /api/[[...path]]',
    outcomes: forAll(404),
    withoutSession: 404,
    input: () => ({ params: { path: ['x'] } }),
  },
  // The demo's external service asks for a token of its own, and nothing can be changed there.
  {
    name: 'GET HEAD /external/[...path]',
    outcomes: forAll(401),
    input: () => ({ params: { path: ['highSchools'] } }),
  },
  {
    name: 'DELETE OPTIONS PATCH POST PUT /external/[...path]',
    outcomes: forAll(405),
    withoutSession: 405,
    originRule: 'any',
    input: () => ({ params: { path: ['highSchools'] } }),
  },
  { name: 'PAGE /', outcomes: ['to /today', 'to /today', 'to /today', 'to /interest', 'to /today'] },
  ...['today', 'declarations', 'questions', 'exports'].map((path) => ({ name: `PAGE /${path}`, outcomes: leadPage })),
  { name: 'PAGE /queue/[name]', outcomes: leadPage, input: () => ({ params: { name: 'waiting' } }) },
  {
    name: 'PAGE /contacts/[id]',
    outcomes: ['shown', 'not found', 'not found', 'no access', 'shown'],
    input: ({ contact }) => ({ params: { id: contact } }),
  },
  ...['interest', 'account', 'help', 'proof'].map((path) => ({ name: `PAGE /${path}`, outcomes: forAll('shown') })),
  ...['', '/users', '/activity', '/work', '/status'].map((path) => ({
    name: `PAGE /admin${path}`,
    outcomes: adminPage,
  })),
  { name: 'PAGE /second-factor', outcomes: forAll('to /') },
  { name: 'PAGE /admin/templates', outcomes: ['shown', 'shown', 'shown', 'no access', 'to /admin/work#templates'] },
  { name: 'PAGE /signin', outcomes: forAll('to /'), withoutSession: 'shown' },
  { name: 'PAGE /invite', outcomes: forAll('shown'), withoutSession: 'shown' },
]

export const rows: readonly (RouteRow & { method: string })[] = [...Object.entries(endpoints).map(toRow), ...otherRows]
  .flatMap((row) => {
    const [path = '', ...methods] = row.name.split(' ').toReversed()
    return methods.map((method) => ({ ...row, name: `${method} ${path}`, method }))
  })
  .toSorted((a, b) => Number(isReading(a)) - Number(isReading(b)))

export function isReading({ method }: { method: string }): boolean {
  return ['PAGE', 'GET', 'HEAD', 'OPTIONS'].includes(method)
}

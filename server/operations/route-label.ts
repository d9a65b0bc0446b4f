import 'server-only'

/** Each screen by its address; all but the contact's have no names in them. */
const PAGES: ReadonlySet<string> = new Set([
  '/',
  '/account',
  '/admin/activity',
  '/admin/activity/leads',
  '/admin/activity/person',
  '/admin/cycle',
  '/admin/privacy',
  '/admin/protections',
  '/admin/security',
  '/admin/status',
  '/admin/templates',
  '/admin/users',
  '/admin/work',
  '/declarations',
  '/exports',
  '/help',
  '/interest',
  '/invite',
  '/questions',
  '/second-factor',
  '/signin',
  '/today',
  '/welcome',
])
/** Answered by nobody who knows patterns. */
const PLAIN_ROUTES: ReadonlySet<string> = new Set([
  '/api/health',
  '/api/health/live',
  '/api/health/ready',
  '/api/metrics',
  ...['callback', 'csrf', 'providers', 'session', 'signin', 'signout'].map((action) => `/api/auth/${action}`),
])

/**
 * A request by the pattern of its route, of which there are some hundred whatever anybody asks for: never an id, a query or a
 * path that a stranger made up, which are all `other`. `route`: as the route itself knows it.
 */
export function routeLabel(url: string, route: string | null): string {
  if (route !== null) return route
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (PAGES.has(path) || PLAIN_ROUTES.has(path)) return path
  if (path.startsWith('/_next/')) return '/_next'
  if (path.startsWith('/contacts/')) return '/contacts/:id'
  if (path.startsWith('/external/')) return '/external'
  const [, action] = /^(\/api\/auth\/[a-z]+)\//.exec(path) ?? []
  return action !== undefined && PLAIN_ROUTES.has(action) ? action : 'other'
}

import 'server-only'
import { endpoints } from '@/lib/contract/endpoints'

/** A path as the files spell it, by the names of its parts: `/api/notes/:id`. */
export function patternOf(path: string): string {
  return path.replaceAll(/\[(\w+)\]/g, ':$1')
}

/** Every page and route there is, but for those that have any number of addresses: `OPEN_ENDED`. */
const PATTERNS: readonly string[] = [
  ...new Set(Object.keys(endpoints).map((name) => patternOf(name.slice(name.indexOf('/'))))),
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
  '/api/auth/backchannel-logout',
  '/api/auth/callback',
  '/api/auth/csrf',
  '/api/auth/providers',
  '/api/auth/session',
  '/api/auth/signin',
  '/api/auth/signout',
  '/contacts/:id',
  '/declarations',
  '/exports',
  '/help',
  '/interest',
  '/invite',
  '/proof',
  '/questions',
  '/second-factor',
  '/signin',
  '/today',
  '/welcome',
]
const OPEN_ENDED = /^(?:\/_next|\/external|\/api\/auth\/(?:callback|signin))(?=\/)/

const PLAIN: ReadonlySet<string> = new Set(PATTERNS.filter((pattern) => !/[:[]/.test(pattern)))
const NAMED = PATTERNS.filter((pattern) => pattern.includes(':')).map((pattern) => ({
  pattern,
  matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`),
}))

/**
 * A request by the pattern of its route, of which there are some hundred whatever anybody asks for: never an id, a query or a
 * path that a stranger made up, which are all `other`. Nothing of the request's own text is ever answered.
 */
export function routeLabel(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (PLAIN.has(path)) return path
  return NAMED.find(({ matches }) => matches.test(path))?.pattern ?? OPEN_ENDED.exec(path)?.[0] ?? 'other'
}

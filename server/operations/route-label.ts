import 'server-only'
import { endpoints } from '@/lib/contract/endpoints'

/** A path as the files spell it, by the names of its parts: `/api/notes/:id`. */
export function patternOf(path: string): string {
  return path.replaceAll(/\[(\w+)\]/g, ':$1')
}

const PAGES = ` account admin/activity admin/activity/leads admin/activity/person admin/cycle admin/privacy
  admin/protections admin/security admin/status admin/templates admin/users admin/work contacts/:id declarations exports
  help interest invite proof questions second-factor signin today welcome`
const SIGN_IN = ['backchannel-logout', 'callback', 'csrf', 'providers', 'session', 'signin', 'signout']

const PATTERNS: readonly string[] = [
  ...new Set(Object.keys(endpoints).map((name) => patternOf(name.slice(name.indexOf('/'))))),
  ...PAGES.split(/\s+/).map((path) => `/${path}`),
  ...SIGN_IN.map((name) => `/api/auth/${name}`),
]
const OPEN_ENDED = /^(?:\/_next|\/external|\/api\/auth\/(?:callback|signin))(?=\/)/

const PLAIN: ReadonlySet<string> = new Set(PATTERNS.filter((pattern) => !/[:[]/.test(pattern)))
const NAMED = PATTERNS.filter((pattern) => pattern.includes(':')).map((pattern) => ({
  pattern,
  matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`),
}))

/** The pattern of a request's route; `other` for a path that is none. Never answers text of the request itself. */
export function routeLabel(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (PLAIN.has(path)) return path
  return NAMED.find(({ matches }) => matches.test(path))?.pattern ?? OPEN_ENDED.exec(path)?.[0] ?? 'other'
}

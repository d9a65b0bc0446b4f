import 'server-only'

const ANYWHERE = 'https://intag.invalid'

/**
 * Where to go after signing in: a path of ours, whatever was asked for. Never another site, never the sign-in page, and never
 * where a proof ends, which would make one of the sign-in.
 */
export function callbackPath(wanted: string | null | undefined): string {
  if (!wanted || !URL.canParse(wanted, ANYWHERE)) return '/'
  const url = new URL(wanted, ANYWHERE)
  const path = url.pathname + url.search
  const isOurs = url.origin === ANYWHERE && /^\/(?![/\\])/.test(path) && wanted.startsWith('/')
  return isOurs && !/^\/(signin|invite|proof|api)(\/|\?|$)/.test(path) ? path : '/'
}

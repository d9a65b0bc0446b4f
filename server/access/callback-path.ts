import 'server-only'

const ANYWHERE = 'https://intag.invalid'

/** Where to go after signing in: a path of ours, whatever was asked for. Never another site, the sign-in page, or the one where a proof ends. */
export function callbackPath(wanted: string | null | undefined): string {
  if (!wanted || !URL.canParse(wanted, ANYWHERE)) return '/'
  const url = new URL(wanted, ANYWHERE)
  const path = url.pathname + url.search
  const isOurs = url.origin === ANYWHERE && /^\/(?![/\\])/.test(path) && wanted.startsWith('/')
  return isOurs && !/^\/(signin|invite|proof|api)(\/|\?|$)/.test(path) ? path : '/'
}

/** Next-auth's own log endpoint is not exposed, because anyone could fill the log through it. */
const EXPOSED_ACTIONS: Record<string, RegExp> = {
  GET: /^(?:csrf|session|providers|callback\/oidc|signin(?:\/[\w-]+)?|signout|error)$/,
  POST: /^(?:signout|signin\/[\w-]+|callback\/[\w-]+)$/,
}

export function isExposedAction(method: string, segments: readonly string[]): boolean {
  return EXPOSED_ACTIONS[method === 'HEAD' ? 'GET' : method]?.test(segments.join('/')) === true
}

const DUMMY_ORIGIN = 'https://intag.invalid'

/** Returns the path if a sign-in may end there, else `/`. `/proof` would turn a sign-in into a proof. */
export function toCallbackPath(requestedPath: string | null | undefined): string {
  if (!requestedPath || !URL.canParse(requestedPath, DUMMY_ORIGIN)) return '/'
  const url = new URL(requestedPath, DUMMY_ORIGIN)
  const path = url.pathname + url.search
  const isOurs = url.origin === DUMMY_ORIGIN && /^\/(?![/\\])/.test(path) && requestedPath.startsWith('/')
  return isOurs && !/^\/(signin|invite|proof|api)(\/|\?|$)/.test(path) ? path : '/'
}

// Gives Next's own stores their base, as its server does before anything else.
import 'next/dist/server/node-environment-baseline'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external'
import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external'
import { RequestCookies } from 'next/dist/server/web/spec-extension/cookies'

export function inRequest<T>(request: Request, run: () => T): T {
  const work = { route: new URL(request.url).pathname, forceStatic: false, dynamicShouldError: false }
  const unit = {
    type: 'request',
    phase: 'render',
    headers: request.headers,
    cookies: new RequestCookies(request.headers),
    url: request.url,
  }
  return workAsyncStorage.run(work as never, () => workUnitAsyncStorage.run(unit as never, run))
}

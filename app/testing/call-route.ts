import { NextRequest } from 'next/server'
import { isValidElement, type ReactElement } from 'react'
import { NoAccessScreen } from '@/components/shell/trouble-screens'
import { inRequest } from './in-request'
import { importModule, listRoutes, type Route } from './list-routes'
import type { Outcome, RouteInput } from './route-table'

export type RouteResult = { outcome: Outcome; allowedOrigin: string | null; reason?: string | null; json?: unknown }
type RequestHeaders = Record<string, string>

/** Calls the handler or page as Next would, and returns what it answers. */
export async function callRoute(name: string, input: RouteInput, headers: RequestHeaders): Promise<RouteResult> {
  const route = (await listRoutes()).find((each) => each.name === name)
  if (!route) throw new Error(`${name} has no file`)
  const request = createRequest(route, input, headers)
  return route.method === 'PAGE' ? renderPage(route, input, request) : callHandler(route, input, request)
}

function createRequest({ method, path }: Route, input: RouteInput, headers: RequestHeaders) {
  const { params = {}, query = {}, body } = input
  const filledPath = path.replaceAll(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => [params[name]].flat().join('/'))
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const search = new URLSearchParams(pairs).toString()
  const init = { method: method === 'PAGE' ? 'GET' : method, headers: { host: 'localhost:3000', ...headers } }
  const bodyInit = body === undefined ? {} : { body: JSON.stringify(body) }
  const url = `http://localhost:3000${filledPath}${search && `?${search}`}`
  const request = new NextRequest(url, { ...init, ...bodyInit })
  if (body !== undefined && !('content-type' in headers)) request.headers.set('content-type', 'application/json')
  return request
}

type Handler = (request: Request, context: unknown) => Promise<Response>

async function callHandler({ file, method }: Route, { params = {} }: RouteInput, request: NextRequest) {
  const handler = (await importModule(file))[method] as Handler
  const response = await inRequest(request, () => handler(request, { params: Promise.resolve(params) }))
  const { headers, status } = response
  const isJson = request.method !== 'HEAD' && headers.get('content-type')?.startsWith('application/json') === true
  const json: unknown = isJson ? await response.json() : await response.body?.cancel()
  return {
    outcome: status,
    allowedOrigin: headers.get('access-control-allow-origin'),
    reason: headers.get('intag-reason'),
    json,
  }
}

async function renderPage({ file }: Route, { params = {}, query = {} }: RouteInput, request: NextRequest) {
  const Page = (await importModule(file)).default as (props: object) => unknown
  const props = { params: Promise.resolve(params), searchParams: Promise.resolve(query) }
  const render = async () => findOutcome(await Page(props))
  return { outcome: await inRequest(request, render).catch(readRedirect), allowedOrigin: null }
}

/** Calls nested server components until one is not asynchronous, because they decide about access. */
async function findOutcome(rendered: unknown): Promise<Outcome> {
  const { type, props }: Partial<ReactElement> = isValidElement(rendered) ? rendered : {}
  if (type === NoAccessScreen) return 'no access'
  if (typeof type !== 'function' || type.constructor.name !== 'AsyncFunction') return 'shown'
  return findOutcome(await (type as (props: unknown) => unknown)(props))
}

function readRedirect(error: unknown): Outcome {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const [, target] = /^NEXT_REDIRECT;\w+;([^;]+);/.exec(digest) ?? []
  if (target !== undefined) return `to ${target}`
  if (digest === 'NEXT_HTTP_ERROR_FALLBACK;404') return 'not found'
  throw error
}

import { globSync, readFileSync } from 'node:fs'
import { NextRequest } from 'next/server'
import { isValidElement, type ReactElement } from 'react'
import { NoAccess } from '@/components/shell/no-access'
import * as otherMethods from '@/server/http/other-methods'
import { inRequest } from './in-request'
import type { Answer, Ask } from './route-table'

/** A route's method or a page, as its file has it. */
export type Place = { at: string; file: string; method: string; path: string }

/** Next takes all of these for a route or page. */
const ENDINGS = '{ts,tsx,js,jsx}'

/** Files by which Next would answer otherwise: its older folders, pictures and lists made by code, and code for forms. */
export function otherWaysIn(): string[] {
  const made = '{robots,sitemap,manifest,icon,apple-icon,favicon,opengraph-image,twitter-image}'
  const ours = globSync('{app,components,lib,server}/**/*.{ts,tsx}').filter((file) =>
    /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  )
  return [...globSync([`{pages,src}/**/*.${ENDINGS}`, `app/**/${made}*.${ENDINGS}`, `middleware.${ENDINGS}`]), ...ours]
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What the files under `app` answer: every method of their own, and every page. */
export async function placesInFiles(): Promise<Place[]> {
  const routes = globSync(`app/**/route.${ENDINGS}`).map(async (file) => {
    const handlers = await moduleOf(file)
    const own = METHODS.filter((method) => method in handlers && handlers[method] !== inherited[method])
    return own.map((method) => placeOf(file, method))
  })
  const pages = globSync(`app/**/page.${ENDINGS}`).map((file) => placeOf(file, 'PAGE'))
  return [...(await Promise.all(routes)).flat(), ...pages]
}

const inherited: Record<string, unknown> = { ...otherMethods }

function placeOf(file: string, method: string): Place {
  const folders = file.split('/').slice(1, -1)
  const path = `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join('/')}`
  return { at: `${method} ${path}`, file, method, path }
}

/** Who sends it, and from where: headers, and the moment is now. */
export async function answerTo(place: Place, ask: Ask, headers: Record<string, string>): Promise<Answered> {
  const request = requestFor(place, ask, headers)
  return place.method === 'PAGE' ? answerOfPage(place, ask, request) : answerOfRoute(place, ask, request)
}

export type Answered = { answer: Answer; allowedOrigin: string | null }

function requestFor({ method, path }: Place, { params = {}, query = {}, body }: Ask, headers: Record<string, string>) {
  const filled = path.replaceAll(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => [params[name]].flat().join('/'))
  const search = new URLSearchParams(query).toString()
  const init = { method: method === 'PAGE' ? 'GET' : method, headers: { host: 'localhost:3000', ...headers } }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const request = new NextRequest(`http://localhost:3000${filled}${search && `?${search}`}`, { ...init, ...sent })
  if (body !== undefined) request.headers.set('content-type', 'application/json')
  return request
}

type Handler = (request: Request, context: unknown) => Promise<Response>

async function answerOfRoute({ file, method }: Place, { params = {} }: Ask, request: NextRequest): Promise<Answered> {
  const handler = (await moduleOf(file))[method] as Handler
  const response = await inRequest(request, () => handler(request, { params: Promise.resolve(params) }))
  await response.body?.cancel()
  return { answer: response.status, allowedOrigin: response.headers.get('access-control-allow-origin') }
}

async function answerOfPage(
  { file }: Place,
  { params = {}, query = {} }: Ask,
  request: NextRequest,
): Promise<Answered> {
  const Page = (await moduleOf(file)).default as (props: object) => unknown
  const props = { params: Promise.resolve(params), searchParams: Promise.resolve(query) }
  const shown = async () => whatIsShown(await Page(props))
  return { answer: await inRequest(request, shown).catch(whereItLeads), allowedOrigin: null }
}

/** Server components are called until one is left that draws: access is decided in them. */
async function whatIsShown(drawn: unknown): Promise<Answer> {
  const { type, props }: Partial<ReactElement> = isValidElement(drawn) ? drawn : {}
  if (type === NoAccess) return 'no access'
  if (typeof type !== 'function' || type.constructor.name !== 'AsyncFunction') return 'shown'
  return whatIsShown(await (type as (props: unknown) => unknown)(props))
}

/** What `redirect()` and `notFound()` throw for Next to catch. */
function whereItLeads(error: unknown): Answer {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const [, target] = /^NEXT_REDIRECT;\w+;([^;]+);/.exec(digest) ?? []
  if (target !== undefined) return `to ${target}`
  if (digest === 'NEXT_HTTP_ERROR_FALLBACK;404') return 'not found'
  throw error
}

async function moduleOf(file: string): Promise<Record<string, unknown>> {
  return import(/* @vite-ignore */ `${process.cwd()}/${file}`)
}

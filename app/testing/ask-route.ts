import { inRequest } from './in-request'
import { globSync, readFileSync } from 'node:fs'
import { NextRequest } from 'next/server'
import { isValidElement, type ReactElement } from 'react'
import { NoAccessScreen } from '@/components/shell/trouble-screens'
import { endpoints } from '@/lib/contract/endpoints'
import type { Answer, Ask } from './route-table'

export type Place = { at: string; file: string; method: string; path: string }

const ENDINGS = '{ts,tsx,js,jsx}'

/** Other files by which Next would answer: older folders, generated pictures and lists, server actions. */
export function otherWaysIn(): string[] {
  const made = '{robots,sitemap,manifest,icon,apple-icon,favicon,opengraph-image,twitter-image}'
  const ours = globSync('{app,components,lib,server}/**/*.{ts,tsx}').filter((file) =>
    /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  )
  return [...globSync([`{pages,src}/**/*.${ENDINGS}`, `app/**/${made}*.${ENDINGS}`, `middleware.${ENDINGS}`]), ...ours]
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Every endpoint that a file declares by its own path, every other method, and every page. */
export async function placesInFiles(): Promise<Place[]> {
  const routes = globSync(`app/**/route.${ENDINGS}`).map(async (file) => {
    const handlers = await moduleOf(file)
    const path = pathOf(file)
    const isDeclared = readFileSync(file, 'utf8').includes(`routes('${path}', {`)
    const methods = METHODS.filter((method) => (isDeclared ? `${method} ${path}` in endpoints : method in handlers))
    return methods.map((method) => ({ at: `${method} ${path}`, file, method, path }))
  })
  const pages = globSync(`app/**/page.${ENDINGS}`).map((file) => {
    const path = pathOf(file)
    return { at: `PAGE ${path}`, file, method: 'PAGE', path }
  })
  return [...(await Promise.all(routes)).flat(), ...pages]
}

function pathOf(file: string): string {
  const folders = file.split('/').slice(1, -1)
  return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join('/')}`
}

export function placeOf(at: string): Place {
  const [method = '', path = ''] = at.split(' ')
  return { at, file: `app${path}/route.ts`, method, path }
}

export async function answerTo(place: Place, ask: Ask, headers: Record<string, string>): Promise<Answered> {
  const request = requestFor(place, ask, headers)
  return place.method === 'PAGE' ? answerOfPage(place, ask, request) : answerOfRoute(place, ask, request)
}

export type Answered = { answer: Answer; allowedOrigin: string | null; reason?: string | null; json?: unknown }

function requestFor({ method, path }: Place, { params = {}, query = {}, body }: Ask, headers: Record<string, string>) {
  const filled = path.replaceAll(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => [params[name]].flat().join('/'))
  const parameters = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const search = new URLSearchParams(parameters).toString()
  const init = { method: method === 'PAGE' ? 'GET' : method, headers: { host: 'localhost:3000', ...headers } }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const request = new NextRequest(`http://localhost:3000${filled}${search && `?${search}`}`, { ...init, ...sent })
  if (body !== undefined && !('content-type' in headers)) request.headers.set('content-type', 'application/json')
  return request
}

type Handler = (request: Request, context: unknown) => Promise<Response>

async function answerOfRoute({ file, method }: Place, { params = {} }: Ask, request: NextRequest): Promise<Answered> {
  const handler = (await moduleOf(file))[method] as Handler
  const response = await inRequest(request, () => handler(request, { params: Promise.resolve(params) }))
  const { headers, status } = response
  const isJson = request.method !== 'HEAD' && headers.get('content-type')?.startsWith('application/json') === true
  const json: unknown = isJson ? await response.json() : await response.body?.cancel()
  return {
    answer: status,
    allowedOrigin: headers.get('access-control-allow-origin'),
    reason: headers.get('intag-reason'),
    json,
  }
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

/** Server components are called until one is left that renders: access is decided in them. */
async function whatIsShown(drawn: unknown): Promise<Answer> {
  const { type, props }: Partial<ReactElement> = isValidElement(drawn) ? drawn : {}
  if (type === NoAccessScreen) return 'no access'
  if (typeof type !== 'function' || type.constructor.name !== 'AsyncFunction') return 'shown'
  return whatIsShown(await (type as (props: unknown) => unknown)(props))
}

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

// This import comes first, because Next keeps the request storages that exist when it is loaded.
import { inRequest } from '@/app/testing/in-request'
import { NextRequest } from 'next/server'

type App = { origin: string; answer: (request: NextRequest) => Promise<Response> }
type Init = Pick<RequestInit, 'method' | 'headers' | 'body'>
type Page = { url: string; status: number; text: string }

/** Keeps cookies and follows redirects. It calls the app within this process, and other origins over the network. */
export function createBrowser(app: App) {
  const jars = new Map<string, Map<string, string>>()
  const getJar = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const callApp = (url: URL, init: Init) => {
    const request = new NextRequest(url, init)
    return inRequest(request, () => app.answer(request))
  }
  const ask = async (address: string, init: Init = {}): Promise<Response> => {
    const url = new URL(address)
    const jar = getJar(url.origin)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const fullInit = { ...init, headers, redirect: 'manual' as const }
    const answer = await (url.origin === app.origin ? callApp(url, fullInit) : fetch(url, fullInit))
    for (const cookie of answer.headers.getSetCookie()) storeCookie(jar, cookie)
    return answer
  }
  const visit = async (address: string, init: Init = {}): Promise<Page> => {
    let url = new URL(address)
    let answer = await ask(address, init)
    for (let hops = 0; hops < 20 && answer.headers.has('location'); hops += 1) {
      url = new URL(answer.headers.get('location') ?? '', url)
      answer = isPage(app, url) ? new Response('') : await ask(url.href)
    }
    return { url: url.href, status: answer.status, text: await answer.text() }
  }
  /** Posts like next-auth's own scripts: with its CSRF token, for an answer in JSON. */
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const { csrfToken } = JSON.parse((await visit(`${app.origin}/api/auth/csrf`)).text)
    const body = new URLSearchParams({ csrfToken, json: 'true', ...fields })
    return JSON.parse((await visit(`${app.origin}/api/auth/${path}`, { method: 'POST', body })).text) as Record<
      string,
      string
    >
  }
  return { ask, visit, post, cookies: (origin = app.origin) => getJar(origin) }
}

function isPage({ origin }: App, url: URL): boolean {
  return url.origin === origin && !url.pathname.startsWith('/api/')
}

function storeCookie(jar: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';')
  const separator = pair.indexOf('=')
  const isExpired = attributes.some((attribute) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute))
  if (isExpired) jar.delete(pair.slice(0, separator))
  else jar.set(pair.slice(0, separator), pair.slice(separator + 1))
}

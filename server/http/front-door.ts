import 'server-only'
import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders } from 'node:http'
import { addressBehind } from '@/server/access/address'
import { enterRequest, requestIdOf, type RequestUnderWay } from '@/server/activity/asked-from'
import type { Env } from '@/server/env'

type Settings = Pick<Env, 'auth' | 'trustedProxies'>
type Begun = {
  request: {
    headers: IncomingHttpHeaders
    method?: string | undefined
    url?: string | undefined
    socket: { remoteAddress?: string | undefined }
  }
  response: {
    statusCode: number
    setHeader: (name: string, value: string) => unknown
    once: (event: 'close', run: () => void) => unknown
  }
}
/** A request that has had its answer, or whose browser is gone. `url` may hold what nobody may keep. */
export type Answered = { method: string; url: string; status: number; seconds: number }

/**
 * What every request and every answer of this process passes, before Next sees the one and whoever answers the other:
 * pages, routes, files, redirects and errors alike. `http.server.request.start` is told before anything else is (Node).
 */
export function openFrontDoor(settings: Settings, onAnswered: (answered: Answered) => void = () => {}): void {
  const headers = Object.entries(securityHeaders(settings))
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Begun
    receive(request, settings)
    readdress(request)
    for (const [name, value] of headers) response.setHeader(name, value)
    follow({ request, response }, settings, onAnswered)
  })
}

/** Gives the request the id under which every line of the log, the answer and the screen know it. */
function follow(
  { request, response }: Begun,
  { trustedProxies }: Settings,
  onAnswered: (answered: Answered) => void,
): void {
  const startedAt = performance.now()
  const underWay: RequestUnderWay = {
    id: requestIdOf(request.headers['x-request-id'], trustedProxies > 0),
    isOver: false,
  }
  delete request.headers['x-request-id']
  response.setHeader('x-request-id', underWay.id)
  const { method = 'GET', url = '/' } = request
  response.once('close', () => {
    underWay.isOver = true
    const seconds = (performance.now() - startedAt) / 1000
    onAnswered({ method, url, status: response.statusCode, seconds })
  })
  enterRequest(underWay)
}

/** What browsers are told with every answer; the promise of https (RFC 6797) only where people come by https. */
export function securityHeaders({ auth }: Pick<Env, 'auth'>): Record<string, string> {
  return {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(auth.url.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** Next believes these from whoever sends them; what is true of them the socket and our settings know. */
const CLAIMS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
]

function receive({ headers, socket }: Begun['request'], { trustedProxies }: Settings): void {
  const address = addressBehind(socket.remoteAddress, headers['x-forwarded-for'], trustedProxies)
  for (const name of CLAIMS) delete headers[name]
  headers[addressHeader()] = address
}

/**
 * What Next would answer with 500 (the web's `Request` has no TRACE, and a path may be no UTF-8) is led to where it is
 * refused in the shape of every other error: with 405, and with 404, for nothing has such a name.
 */
function readdress(request: Begun['request']): void {
  if (request.method === 'TRACE') {
    request.method = 'OPTIONS'
    request.url = NO_OTHER_METHODS
  } else if (!isDecodable(request.url ?? '/')) request.url = NOTHING
}

const NO_OTHER_METHODS = '/api/status'
const NOTHING = '/api'

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** The address a request came from, as the front door noted it; `unknown` where it did not pass there. */
export function addressOf(request: Pick<Request, 'headers'>): string {
  return request.headers.get(addressHeader()) ?? 'unknown'
}

const KEY = Symbol.for('intag.address-header')

/** The header that carries the address through Next. Its name is made up by each process, so that nobody can send one. */
function addressHeader(): string {
  const known: unknown = Reflect.get(globalThis, KEY)
  if (typeof known === 'string') return known
  const made = `x-address-${randomBytes(16).toString('hex')}`
  Reflect.set(globalThis, KEY, made)
  return made
}

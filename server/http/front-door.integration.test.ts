import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerAddress, chooseRequestId } from '@/server/base/request-context'
import { createLogger } from '@/server/base/logger'
import type { AnsweredRequest } from '@/server/base/counters'
import { createFrontDoor, securityHeaders } from './front-door'
import { watchRequests } from './open-requests'

const seen: { headers: IncomingHttpHeaders; address: string | null; asked: string }[] = []
const server = createServer((incoming, response) => {
  const asked = `${incoming.method} ${incoming.url}`
  seen.push({ headers: incoming.headers, address: callerAddress(), asked })
  // What is done for it, and what it set going.
  logger.info('under way')
  response.once('close', () => logger.info('after it'))
  response.writeHead(incoming.url?.startsWith('/gone') ? 404 : 200)
  setImmediate(() => response.end())
})
const lines: { requestId?: string; msg: string }[] = []
const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const answered: AnsweredRequest[] = []
let origin = ''
const TOKEN = 'x1_-'.repeat(11).slice(0, 43)
beforeAll(async () => {
  const settings = { auth: { url: 'https://intag.test', secret: '' }, trustedProxies: 0 }
  watchRequests(createFrontDoor(settings, (one) => void answered.push(one)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

describe('the front door', () => {
  test('notes the socket’s address, and lets nothing pass that a client claims of it', async () => {
    const claims = {
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '1',
      'x-real-ip': '10.0.0.1',
      forwarded: 'for=10.0.0.1',
    }
    await fetch(origin, { headers: claims })
    expect(seen.at(-1)?.address).toBe('127.0.0.1')
    expect(Object.keys(claims).filter((name) => seen.at(-1)?.headers[name] !== undefined)).toEqual([])
  })

  test.each(['/', '/gone'])('answers %s with every header of security', async (path) => {
    const { headers } = await fetch(origin + path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
  })

  test.each([
    ['TRACE', '/api/asked-questions', 'OPTIONS /api/status'],
    ['GET', '/api/high-schools/%E0%A4%A', 'GET /api'],
    ['POST', '/%', 'POST /api'],
    ['GET', '/?q=%E0%A4%A', 'GET /?q=%E0%A4%A'],
    ['GET', '/api/high-schools/%C3%A5', 'GET /api/high-schools/%C3%A5'],
    ['OPTIONS', '/', 'OPTIONS /'],
  ])('leads %s %s to where it is answered: %s', async (method, path, asked) => {
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => request({ method, path, port, host: '127.0.0.1' }, resolve).end())
    expect(seen.at(-1)?.asked).toBe(asked)
  })

  test.each([
    [`/invite%23${TOKEN}`, '/invite', 'no-referrer'],
    [`/invite?reset%23${TOKEN}`, '/invite?reset', 'no-referrer'],
    [`/invite%23${TOKEN.slice(1)}`, '/invite', 'no-referrer'],
    [`/invite?reset%23${TOKEN.slice(1)}`, '/invite?reset', 'no-referrer'],
    ['/invite?reset', '/invite?reset', 'same-origin'],
    ['/invite?_rsc=1x2y3', '/invite?_rsc=1x2y3', 'same-origin'],
  ])('of %s nothing behind it sees the token: %s, %s', async (path, asked, policy) => {
    const { headers } = await fetch(origin + path)
    expect([seen.at(-1)?.asked, headers.get('referrer-policy')]).toEqual([`GET ${asked}`, policy])
    expect(answered.at(-1)?.url).toBe(asked)
  })

  test('promises https only where there is https', () => {
    expect(securityHeaders({ auth: { url: 'http://localhost:3000', secret: '' } })).not.toHaveProperty(
      'strict-transport-security',
    )
  })

  test('gives each request its own id, in its answer and its lines of the log', async () => {
    await expect.poll(() => lines.filter(({ msg }) => msg === 'after it')).toHaveLength(seen.length)
    lines.length = 0
    const ask = () => fetch(`${origin}/gone?q=eva`, { headers: { 'x-request-id': 'made-up-by-a-client' } })
    const ids = (await Promise.all([ask(), ask()])).map(({ headers }) => headers.get('x-request-id'))
    expect(new Set([...ids, 'made-up-by-a-client']).size).toBe(3)
    expect(seen.at(-1)?.headers).not.toHaveProperty('x-request-id')
    expect(new Set(lines.filter(({ msg }) => msg === 'under way').map(({ requestId }) => requestId))).toEqual(
      new Set(ids),
    )
    await expect.poll(() => lines.filter(({ msg }) => msg === 'after it')).toHaveLength(2)
    expect(lines.filter(({ msg }) => msg === 'after it').map(({ requestId }) => requestId)).toEqual([
      undefined,
      undefined,
    ])
  })

  test('reports each answer once it has been sent', async () => {
    answered.length = 0
    await (await fetch(`${origin}/gone?q=1`)).text()
    await expect.poll(() => answered).toHaveLength(1)
    const [{ seconds, ...one } = { seconds: -1 }] = answered
    expect(one).toEqual({ method: 'GET', url: '/gone?q=1', status: 404 })
    expect(seconds).toBeGreaterThan(0)
  })

  test('believes an id only from a proxy of ours, and only one that can be nothing else', () => {
    const uuid = /^[\da-f]{8}-[\da-f]{4}-4/
    for (const id of ['0123456789abcdef0123456789ABCDEF', '0191d0c0-7b1a-7c3d-8e4f-0123456789ab']) {
      expect(chooseRequestId(id, true)).toBe(id)
      expect(chooseRequestId(id, false)).toMatch(uuid)
    }
    const names = ['short', 'eva@skolan.test', 'two\nlines-of-it', 'Eva-Svensson-Malmo', '200801011234', 'x'.repeat(32)]
    for (const named of [...names, 'a'.repeat(65), undefined, ['a'.repeat(32)]]) {
      expect(chooseRequestId(named, true)).toMatch(uuid)
    }
  })
})

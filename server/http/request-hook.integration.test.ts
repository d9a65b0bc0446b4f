import { once } from 'node:events'
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnsweredRequest } from '@/server/base/counters'
import { createLogger } from '@/server/base/logger'
import { findCallerAddress, chooseRequestId } from '@/server/base/request-context'
import { trackOpenRequests } from './open-requests'
import { createRequestHook, disableUpgrades } from './request-hook'
import { createSecurityHeaders } from './security-headers'

const seen: { headers: IncomingHttpHeaders; address: string | null; asked: string }[] = []
const lines: { requestId?: string; msg: string }[] = []
const answered: AnsweredRequest[] = []
const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const server = createServer((incoming, response) => {
  const asked = `${incoming.method} ${incoming.url}`
  seen.push({ headers: incoming.headers, address: findCallerAddress(), asked })
  // What is done for it, and what it set going.
  logger.info('under way')
  response.once('close', () => logger.info('after it'))
  response.writeHead(incoming.url?.startsWith('/gone') ? 404 : 200)
  setImmediate(() => response.end())
})
const settings = { auth: { url: 'https://intag.test', secret: '' }, trustedProxies: 0 }
let origin = ''
beforeAll(async () => {
  trackOpenRequests(createRequestHook(settings, (one) => void answered.push(one)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test('the socket’s address is noted, nothing passes that a client claims of it, and every answer has the headers of security', async () => {
  const parts = ['for', 'host', 'proto', 'port'].map((part) => `x-forwarded-${part}`)
  const claims = [...parts, 'x-real-ip', 'forwarded']
  const sent = Object.fromEntries(claims.map((name) => [name, '10.0.0.1']))
  const { headers } = await fetch(`${origin}/gone`, { headers: sent })
  expect(seen.at(-1)?.address).toBe('127.0.0.1')
  expect(claims.filter((name) => seen.at(-1)?.headers[name] !== undefined)).toEqual([])
  expect(Object.fromEntries(headers)).toMatchObject(createSecurityHeaders(settings))
})

test.each([
  ['TRACE', '/api/asked-questions', 'OPTIONS /api/status'],
  ['GET', '/api/high-schools/%E0%A4%A', 'GET /api'],
  ['POST', '/%', 'POST /api'],
  ['GET', '/?q=%E0%A4%A', 'GET /?q=%E0%A4%A'],
])('%s %s is led to where it is answered: %s', async (method, path, asked) => {
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => request({ method, path, port, host: '127.0.0.1' }, resolve).end())
  expect(seen.at(-1)?.asked).toBe(asked)
})

const TOKEN = 'x1_-'.repeat(11).slice(0, 43)
test.each([
  [`/invite%23${TOKEN}`, '/invite', 'no-referrer'],
  [`/invite?reset%23${TOKEN.slice(1)}`, '/invite?reset', 'no-referrer'],
  ['/invite?reset', '/invite?reset', 'same-origin'],
  ['/invite?_rsc=1x2y3', '/invite?_rsc=1x2y3', 'same-origin'],
])('of %s nothing behind the door sees the token: %s, %s', async (path, asked, policy) => {
  const { headers } = await fetch(origin + path)
  expect([seen.at(-1)?.asked, headers.get('referrer-policy')]).toEqual([`GET ${asked}`, policy])
  await expect.poll(() => answered.at(-1)?.url).toBe(asked)
})

test('each request has its own id, in its answer and its lines of the log, and is reported once it was sent', async () => {
  const idsOf = (wanted: string) => lines.filter(({ msg }) => msg === wanted).map(({ requestId }) => requestId)
  await expect.poll(() => idsOf('after it')).toHaveLength(seen.length)
  lines.length = 0
  answered.length = 0
  const claimed = 'a'.repeat(32)
  const ask = () => fetch(`${origin}/gone?q=eva`, { headers: { 'x-request-id': claimed } })
  const ids = (await Promise.all([ask(), ask()])).map(({ headers }) => headers.get('x-request-id'))
  expect(new Set([...ids, claimed]).size).toBe(3)
  expect(seen.at(-1)?.headers).not.toHaveProperty('x-request-id')
  expect(new Set(idsOf('under way'))).toEqual(new Set(ids))
  await expect.poll(() => idsOf('after it')).toEqual([undefined, undefined])
  const report = { method: 'GET', url: '/gone?q=eva', status: 404, seconds: expect.any(Number) }
  expect(answered).toEqual([report, report])
})

test('an id is believed only from a proxy of ours, and only one that can be nothing else', () => {
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4/
  for (const id of ['0123456789abcdef0123456789ABCDEF', '0191d0c0-7b1a-7c3d-8e4f-0123456789ab']) {
    expect(chooseRequestId(id, true)).toBe(id)
    expect(chooseRequestId(id, false)).toMatch(uuid)
  }
  const names = ['short', 'eva@skolan.test', 'two\nlines-of-it', 'Eva-Svensson-Malmo', '200801011234', 'x'.repeat(32)]
  for (const named of [...names, 'a'.repeat(65), undefined, ['a'.repeat(32)]])
    expect(chooseRequestId(named, true)).toMatch(uuid)
})

test('a client that asks for another protocol is answered as any other, also on the first connection', async () => {
  disableUpgrades()
  const next = createServer((_, response) => {
    next.on('upgrade', (_request, socket) => socket.destroy())
    response.end()
  })
  await once(next.listen(0, '127.0.0.1'), 'listening')
  const { port } = next.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (headers: Record<string, string>) => {
    const [response] = (await once(request({ port, agent, headers }).end(), 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return response.statusCode
  }
  expect([await ask({}), await ask({ connection: 'upgrade', upgrade: 'websocket' })]).toEqual([200, 200])
  agent.destroy()
  next.close()
})

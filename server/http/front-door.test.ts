import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, openFrontDoor, securityHeaders } from './front-door'

/** As Next does it: the headers of Node's request become those of a `Request`. */
const seen: { headers: IncomingHttpHeaders; address: string; asked: string }[] = []
const server = createServer((incoming, response) => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const asked = `${incoming.method} ${incoming.url}`
  seen.push({ headers: incoming.headers, address: addressOf({ headers }), asked })
  response.writeHead(incoming.url === '/gone' ? 404 : 200).end()
})
let origin = ''
beforeAll(async () => {
  openFrontDoor({ auth: { url: 'https://intag.test', secret: '' }, trustedProxies: 0 })
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
    await fetch(origin, { headers: { ...claims, 'x-address': '10.0.0.1', 'x-address-': '10.0.0.1' } })
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

  test('promises https only where there is https', () => {
    expect(securityHeaders({ auth: { url: 'http://localhost:3000', secret: '' } })).not.toHaveProperty(
      'strict-transport-security',
    )
  })

  test('somebody who did not pass it has no address, whatever they say', () => {
    expect(addressOf({ headers: new Headers({ 'x-forwarded-for': '10.0.0.1' }) })).toBe('unknown')
  })
})

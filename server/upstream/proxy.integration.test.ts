import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createProviderCheck, discover } from '@/server/access/provider-check'
import { faultyServices } from '@/server/upstream/testing/faulty-service'
import { DIRECT, type ProxySettings, proxyFor } from './proxy'
import { createHttpTransport } from './transport'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** A proxy that opens ways, and asks for a user where one is given. */
async function startProxy(user?: string) {
  const asked: string[] = []
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    asked.push(url)
    if (headers['proxy-authorization'] !== (user && `Basic ${Buffer.from(user).toString('base64')}`))
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [host = '', port] = url.split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    closing.push(() => [socket, onward].forEach((end) => end.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close())
  return { asked, port: (server.address() as AddressInfo).port }
}

const start = faultyServices()
const startService = async () =>
  (await start((response, { url, headers }) => void response.end(JSON.stringify({ url, headers })))).url

const by = (proxy: string, except: string[] = []): ProxySettings => ({
  https: new URL(proxy),
  http: new URL(proxy),
  except,
})
const get = async (settings: ProxySettings, url: string) => {
  const send = createHttpTransport(settings)
  return send({ url, headers: { authorization: 'Bearer token' }, signal: new AbortController().signal })
}

describe('what goes out', () => {
  test('passes the proxy, which gets no word of what is for the service', async () => {
    const [proxy, service] = [await startProxy('kommun:p@ss'), await startService()]
    const answer = await (await get(by(`http://kommun:p%40ss@127.0.0.1:${proxy.port}`), `${service}/lists?x=1`)).json()
    expect(proxy.asked).toEqual([new URL(service).host])
    expect(answer).toMatchObject({ url: '/lists?x=1', headers: { authorization: 'Bearer token' } })
    expect(answer.headers).not.toHaveProperty('proxy-authorization')
  })

  test('keeps its way for the next request', async () => {
    const [proxy, service] = [await startProxy(), await startService()]
    const send = createHttpTransport(by(`http://127.0.0.1:${proxy.port}`))
    for (const path of ['/a', '/b'])
      await (await send({ url: service + path, headers: {}, signal: new AbortController().signal })).text()
    expect(proxy.asked).toHaveLength(1)
  })

  test('goes directly where the settings say so, and without settings', async () => {
    const [proxy, service] = [await startProxy(), await startService()]
    expect((await get(by(`http://127.0.0.1:${proxy.port}`, ['127.0.0.0/8']), service)).status).toBe(200)
    expect((await get(DIRECT, service)).status).toBe(200)
    expect(proxy.asked).toEqual([])
  })

  test('fails by a code that names neither proxy nor password', async () => {
    const [proxy, service] = [await startProxy('kommun:right'), await startService()]
    const refused = await get(by(`http://kommun:wrong@127.0.0.1:${proxy.port}`), service).catch(
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ code: 'PROXY_REFUSED_407' })
    expect(JSON.stringify(refused) + String(refused)).not.toMatch(/wrong|kommun|127\.0/)
    const gone = get(by('http://kommun:wrong@127.0.0.1:1'), service)
    await expect(gone).rejects.toMatchObject({ code: 'PROXY_ECONNREFUSED' })
  })
})

test('what single sign-on asks passes it too: what it finds out, and what next-auth sends', async () => {
  const [proxy, service] = [await startProxy(), await startService()]
  const settings = by(`http://127.0.0.1:${proxy.port}`)
  const transport = createHttpTransport(settings)
  await expect(discover({ transport, now: Date.now, timeoutMs: 2_000 }, service)).rejects.toThrow('discovery')
  const rules = { roleMap: null, schoolMap: null, trustEmail: false }
  const oidc = { issuer: service, clientId: 'c', clientSecret: 's', name: 'N', scope: 'openid', ...rules }
  const logger = { info: () => {}, warn: () => {} }
  const { limits } = createProviderCheck({ oidc, transport, proxy: settings, now: Date.now, logger })
  const [answer] = await once(request(`${service}/token`, { agent: limits.agent }).end(), 'response')
  expect(answer.statusCode).toBe(200)
  answer.destroy()
  expect(proxy.asked).toHaveLength(2)
})

describe('NO_PROXY', () => {
  const isDirect = (address: string, ...except: string[]) =>
    proxyFor(new URL(address), by('http://proxy.example:3128', except)) === null

  test.each([
    ['https://api.example.se', 'example.se'],
    ['https://example.se', '.example.se'],
    ['https://API.Example.se.', '*.example.se'],
    ['https://api.example.se:8443', 'example.se:8443'],
    ['https://api.example.se', 'example.se:443'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['http://[fd00::1]:8080', 'fd00::/8'],
    ['http://[::1]', '[::1]'],
    ['http://[::1]:8080', '[::1]:8080'],
    ['https://anything.test', '*'],
  ])('%s is asked directly with %s', (address, entry) => expect(isDirect(address, 'other.test', entry)).toBe(true))

  test.each([
    ['https://badexample.se', 'example.se'],
    ['https://example.se', 'api.example.se'],
    ['https://example.se:8443', 'example.se:443'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '10.0.0.0/99'],
    ['http://110.1.2.3', '10.1.2.3'],
    ['https://example.se', ''],
  ])('%s is not with %s', (address, entry) => expect(isDirect(address, entry)).toBe(false))
})

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent, createHttpTransport } from '@/server/base/transport'

test('what goes out passes the proxy that the environment names, and not to the hosts that it excepts', async () => {
  const asked: string[] = []
  const proxy = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('from the proxy')
  })
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  const address = `http://kommun:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  vi.stubEnv('HTTP_PROXY', address)
  vi.stubEnv('HTTPS_PROXY', address)
  vi.stubEnv('NO_PROXY', 'direct.test')
  onTestFinished(() => void vi.unstubAllEnvs())

  const transport = createHttpTransport()
  const get = (url: string) => transport({ url, headers: {}, signal: AbortSignal.timeout(2_000) })
  expect(await (await get('http://service.test/lists')).text()).toBe('from the proxy')
  const refused: unknown = await get('https://service.test/lists').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'ERR_PROXY_TUNNEL' })
  expect(String(refused)).not.toContain('secret')
  await expect(get('http://direct.test')).rejects.toThrow('ENOTFOUND')

  const agent = createAgent('http:')
  const [answer] = await once(request('http://id.test/token', { agent }).end(), 'response')
  answer.destroy()
  expect(asked).toEqual(['http://service.test/lists', 'service.test:443', 'http://id.test/token'])
})

import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { trackOpenRequests } from './open-requests'

/** A server that answers at once, but `/held` on command and `/stream` never to its end; and a client. */
async function open() {
  const requests = trackOpenRequests(() => () => {})
  const held: ServerResponse[] = []
  const server = createServer(({ url }, response) => {
    if (url === '/held') return void held.push(response)
    if (url !== '/stream') return void response.end('ok')
    response.setHeader('content-type', 'text/event-stream').write('event: beat\n\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (path: string, by: Agent | undefined = agent) => {
    const request = get({ port, path, agent: by })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.on('error', () => {})
    if (path !== '/stream') answer.resume()
    return answer
  }
  return { requests, held, ask }
}

test('what is under way is counted to its last byte, live streams are not', async () => {
  const { requests, held, ask } = await open()
  await ask('/stream', new Agent())
  const answer = ask('/held')
  await expect.poll(() => held.length).toBe(1)
  expect(requests.countOpenRequests()).toBe(1)
  held[0]?.write('begun')
  await answer
  expect(await requests.waitUntilQuiet(50, 150)).toBe(1)
  held[0]?.end()
  expect(await requests.waitUntilQuiet(50, 2_000)).toBe(0)
})

test('it takes no new connection, and still answers on those that are open; then it closes those, too', async () => {
  const { requests, ask } = await open()
  await once(await ask('/'), 'end')
  requests.stopListening()
  await expect(ask('/', new Agent())).rejects.toThrow('ECONNREFUSED')
  const calm = requests.waitUntilQuiet(100, 2_000)
  await setTimeout(60)
  const { statusCode, socket } = await ask('/')
  expect([statusCode, await calm]).toEqual([200, 0])
  const closed = once(socket, 'close')
  await requests.closeIdle()
  await closed
})

// The last one: it leaves for the whole process.
test('once it leaves, every answer closes its connection, also to requests from before', async () => {
  const { requests, held, ask } = await open()
  expect((await ask('/')).headers.connection).toBe('keep-alive')
  const before = ask('/held')
  await expect.poll(() => held.length).toBe(1)
  requests.disableKeepAlive()
  held[0]?.end()
  expect((await before).headers.connection).toBe('close')
  expect((await ask('/')).headers.connection).toBe('close')
})

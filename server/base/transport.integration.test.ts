import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from './transport'

test('a status that HTTP does not have is an error, and its connection is closed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const signal = AbortSignal.timeout(5_000)
  const connecting = once(server, 'connection')
  const answering = createHttpTransport()({ url: `http://127.0.0.1:${port}`, headers: {}, signal })
  const [socket]: Socket[] = await connecting
  socket?.resume().write('HTTP/1.1 999 Nothing\r\n\r\n')
  await expect(answering).rejects.toThrow('status 999')
  if (socket) await once(socket, 'close')
})

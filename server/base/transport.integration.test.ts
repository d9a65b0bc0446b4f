import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from './transport'

test('a status that HTTP does not have is an error, and its connection is closed', async () => {
  const server = createServer((socket) => void socket.resume().write('HTTP/1.1 999 None\r\n\r\n'))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connecting = once(server, 'connection')
  const answering = createHttpTransport()({ url, headers: {}, signal: AbortSignal.timeout(5_000) })
  await expect(answering).rejects.toThrow('status 999')
  const [socket]: Socket[] = await connecting
  await expect.poll(() => socket?.closed).toBe(true)
})

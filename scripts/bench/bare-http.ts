import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that does nothing but answer, in a process of its own; tells its port when it is up. */
export type Up = { port: number }

const server = createServer((_, answer) => void answer.end('{}')).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ port } satisfies Up)
})
// Without the bench there is nobody to answer.
process.on('disconnect', () => process.exit(0))

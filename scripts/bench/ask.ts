import { type IncomingHttpHeaders, request, type RequestOptions } from 'node:http'
import type { Socket } from 'node:net'

export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; socket: Socket }

/** Over a plain socket, which is cheap. Rejects without a complete answer. */
export async function ask(url: string, options: RequestOptions, body: string | null = null): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asking = request(url, options, async (answer) => {
    // A read answer has no socket any more.
    const { statusCode = 0, headers, socket } = answer
    const parts = await answer.toArray().catch(reject)
    if (parts) resolve({ status: statusCode, headers, bytes: Buffer.concat(parts), socket })
  })
  asking.on('timeout', () => asking.destroy()).on('error', reject)
  asking.end(body)
  return promise
}

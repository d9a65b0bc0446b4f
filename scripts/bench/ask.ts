import { type IncomingHttpHeaders, request, type RequestOptions } from 'node:http'

export type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Over a plain socket, which is cheap. Rejects without a complete answer. */
export async function ask(url: string, options: RequestOptions, body: string | null = null): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asking = request(url, options, async (answer) => {
    const { statusCode = 0, headers } = answer
    const parts = await answer.toArray().catch(reject)
    if (parts) resolve({ status: statusCode, headers, bytes: Buffer.concat(parts) })
  })
  asking.on('timeout', () => asking.destroy()).on('error', reject)
  asking.end(body)
  return promise
}

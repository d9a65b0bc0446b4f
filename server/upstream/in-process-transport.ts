import 'server-only'
import type { Transport } from './transport'

/** Hands the request to a service within this process. Nothing is compressed on a way of no length. */
export function createInProcessTransport(handle: (request: Request) => Promise<Response>): Transport {
  return async ({ url, headers, signal }) => {
    const request = new Request(url, { headers, signal, redirect: 'manual', cache: 'no-store' })
    request.headers.delete('accept-encoding')
    return handle(request)
  }
}

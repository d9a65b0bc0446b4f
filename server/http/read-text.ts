import 'server-only'
import { HttpError } from './http-error'

/** A request's body as text: 413 when it is larger, counting what really comes, whatever the header promised. */
export async function readText(request: Request, limitBytes: number): Promise<string> {
  const tooLarge = () => new HttpError(413, `The body is larger than ${limitBytes / 1000} kB`)
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

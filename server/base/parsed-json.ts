import 'server-only'

/** Null for what is not JSON, or not UTF-8. */
export function parsedJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

/** By what really comes, whatever its headers say. */
export async function textWithin(body: Request['body'], limitBytes: number, tooLarge: () => Error): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > limitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

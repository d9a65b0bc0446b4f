import 'server-only'

/** Null for what is not JSON, or not UTF-8. */
export function parsedJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

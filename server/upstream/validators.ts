import 'server-only'
import type { Validators } from './outcome'

/** Only what can be sent back as a header, and not at any length. */
const SENDABLE = /^[\x21-\x7e][\x20-\x7e]{0,500}$/

export function validatorsOf(headers: Headers): Validators {
  const etag = headers.get('etag') ?? ''
  const lastModified = headers.get('last-modified') ?? ''
  return { ...(SENDABLE.test(etag) && { etag }), ...(SENDABLE.test(lastModified) && { lastModified }) }
}

export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

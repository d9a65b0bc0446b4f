import 'server-only'
import { hkdfSync } from 'node:crypto'

/** A key of 32 bytes for one purpose (HKDF, RFC 5869), so that no two uses of `DATA_KEY` share one. */
export function deriveKey(dataKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), `intag ${purpose}`, 32))
}

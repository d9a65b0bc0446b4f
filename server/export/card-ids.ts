import 'server-only'
import { createHash } from 'node:crypto'
import type { LeadKind } from '@/lib/contract/lead'

type CardIds = (kind: LeadKind, leadId: string) => string

/** A UUID (version 8, RFC 9562) for a lead's card: always the same under the same key, and revealing nothing. */
export function createCardIds(key: Uint8Array): CardIds {
  const mac = createMac(key)
  return (kind, leadId) => {
    const bytes = mac(`${kind} ${leadId}`).subarray(0, 16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}

const BLOCK_BYTES = 64

/** HMAC-SHA-256 (RFC 2104) for many short texts: Node's own makes an object for each, which takes five times as long. */
function createMac(key: Uint8Array): (text: string) => Buffer {
  const padded = Buffer.alloc(BLOCK_BYTES)
  padded.set(key)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  return (text) => sha256(outer, sha256(inner, Buffer.from(text, 'utf8')))
}

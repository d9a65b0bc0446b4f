import 'server-only'
import { createCipheriv, createDecipheriv, randomBytes, hkdfSync } from 'node:crypto'

export type Seal = {
  /** Enciphers a text; `place` names where it will stand (table and row), and it can be read nowhere else. */
  close: (text: string, place: string) => string
  /** Null when it was sealed with another key, for another place, or changed since. */
  open: (sealed: string, place: string) => string | null
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What people write may name pupils, so it is stored enciphered (AES-256-GCM, NIST SP 800-38D), never as it is. */
export function createSeal(dataKey: Uint8Array): Seal {
  const key = deriveKey(dataKey, 'sealed texts')
  return {
    close: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open: (sealed, place) => {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}

/** A key of 32 bytes for one purpose (HKDF, RFC 5869), so that no two uses of `DATA_KEY` share one. */
export function deriveKey(dataKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), `intag ${purpose}`, 32))
}

import 'server-only'
import { createCipheriv, createDecipheriv, randomBytes, hkdfSync } from 'node:crypto'

export type Seal = {
  /** Enciphers a text; `place` names where it will stand (table and row), and it can be read nowhere else. */
  close: (text: string, place: string) => string
  /** Null when it was sealed with a key that is not here, for another place, or changed since. */
  open: (sealed: string, place: string) => string | null
}

/** `DATA_KEY`, and the one before it while texts are still sealed with that one: it opens, and seals nothing. */
export type DataKeys = { current: Uint8Array; previous: Uint8Array | null }

const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = '1'

/**
 * What people write may name pupils, so it is stored enciphered (AES-256-GCM, NIST SP 800-38D), never as it is. A sealed
 * text says which key it needs: `1.<key id>.<nonce, tag, body>`; texts from before that say nothing and are tried.
 */
export function createSeal(keys: DataKeys | Uint8Array, purpose = 'sealed texts'): Seal {
  const { current, previous } = 'current' in keys ? keys : { current: keys, previous: null }
  const known = [current, ...(previous === null ? [] : [previous])].map((dataKey) => ({
    prefix: sealPrefix(dataKey),
    key: deriveKey(dataKey, purpose),
  }))
  const prefix = sealPrefix(current)
  const key = deriveKey(current, purpose)
  return {
    close: (text, place) => prefix + closeWith(key, text, place),
    open: (sealed, place) => {
      if (!sealed.includes('.')) return firstOpened(known, sealed, place)
      const named = known.find((one) => sealed.startsWith(one.prefix))
      return named === undefined ? null : openWith(named.key, sealed.slice(named.prefix.length), place)
    },
  }
}

/** What every text begins with that was sealed with this key. */
export function sealPrefix(dataKey: Uint8Array): string {
  return `${VERSION}.${keyId(dataKey).toString('base64url')}.`
}

const KEY_ID_BYTES = 6

/** Names a key and tells nothing of it. */
export function keyId(dataKey: Uint8Array): Buffer {
  return deriveKey(dataKey, 'key id').subarray(0, KEY_ID_BYTES)
}

function closeWith(key: Uint8Array, text: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

function openWith(key: Uint8Array, sealed: string, place: string): string | null {
  // Reads the letters of both alphabets of base64.
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

function firstOpened(known: readonly { key: Uint8Array }[], sealed: string, place: string): string | null {
  for (const { key } of known) {
    const text = openWith(key, sealed, place)
    if (text !== null) return text
  }
  return null
}

/** A key of 32 bytes for one purpose (HKDF, RFC 5869), so that no two uses of `DATA_KEY` share one. */
export function deriveKey(dataKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), `intag ${purpose}`, 32))
}

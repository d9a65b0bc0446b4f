import 'server-only'
import { createCipheriv, createDecipheriv, randomBytes, hkdfSync } from 'node:crypto'

export type Seal = ReturnType<typeof createSeal>

/** The previous key opens, and seals nothing. */
export type DataKeys = { current: Uint8Array; previous: Uint8Array | null }

/** The first seals, all open. */
export function listDataKeys(keys: DataKeys | Uint8Array): [Uint8Array, ...Uint8Array[]] {
  if (!('current' in keys)) return [keys]
  return keys.previous === null ? [keys.current] : [keys.current, keys.previous]
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 6

/** AES-256-GCM (NIST SP 800-38D): `1.<key id>.<nonce, tag, body>`. Older texts name no key and are tried with each. */
export function createSeal(keys: DataKeys | Uint8Array, purpose = 'sealed texts') {
  const { own: currentKey, readableKeys: readableKeys } = deriveKeys(keys, purpose)
  const prefixOf = ({ id }: { id: Buffer }) => `1.${id.toString('base64url')}.`
  return {
    encrypt: (text: string, context: string): string =>
      prefixOf(currentKey) + encryptBytes(currentKey.key, Buffer.from(text), context).toString('base64url'),
    /** Null for an unknown key, another place (table and row), or a changed text. */
    decrypt: (sealed: string, context: string): string | null => {
      const isNamed = sealed.includes('.')
      for (const each of readableKeys) {
        if (isNamed && !sealed.startsWith(prefixOf(each))) continue
        const bytes = Buffer.from(isNamed ? sealed.slice(prefixOf(each).length) : sealed, 'base64')
        const text = decryptBytes(each.key, bytes, context)
        if (text !== null) return text.toString()
      }
      return null
    },
  }
}

/** The same of bytes. Each call works on all of them at once, so they should be less than a megabyte. */
export function createByteSeal(keys: DataKeys, purpose: string) {
  const { currentKey, readableKeys: readableKeys } = deriveKeys(keys, purpose)
  return {
    encrypt: (bytes: Uint8Array, context: string): Buffer => Buffer.concat([currentKey.id, encryptBytes(currentKey.key, bytes, context)]),
    decrypt: (sealed: Uint8Array, context: string): Buffer | null => {
      const found = readableKeys.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)))
      return found ? decryptBytes(found.key, sealed.subarray(KEY_ID_BYTES), context) : null
    },
  }
}

/** An id names its key and reveals nothing of it. */
function deriveKeys(keys: DataKeys | Uint8Array, purpose: string) {
  const derive = (dataKey: Uint8Array) => {
    return { id: deriveKey(dataKey, 'key id').subarray(0, KEY_ID_BYTES), key: deriveKey(dataKey, purpose) }
  }
  const [current, ...previous] = listDataKeys(keys)
  const currentKey = derive(current)
  return { currentKey: currentKey, readableKeys: [currentKey, ...previous.map(derive)] }
}

function encryptBytes(key: Uint8Array, bytes: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body])
}

function decryptBytes(key: Uint8Array, sealed: Uint8Array, context: string): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** HKDF (RFC 5869): no two uses of `DATA_KEY` share a key. */
export function deriveKey(dataKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), `intag ${purpose}`, 32))
}

import { createCipheriv, createDecipheriv, randomBytes, hkdfSync } from 'node:crypto'

export type Seal = ReturnType<typeof createSeal>

/** The current key encrypts, and all of them decrypt. */
export type DataKeys = readonly [current: Uint8Array, ...previous: Uint8Array[]]

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 6

/** Encrypts with AES-256-GCM (NIST SP 800-38D) as `1.<key id>.<nonce, tag, body>`. Older texts have the last part only. */
export function createSeal(dataKeys: DataKeys, purpose = 'sealed texts') {
  const { currentKey, allKeys } = deriveKeys(dataKeys, purpose)
  const createPrefix = ({ id }: { id: Buffer }) => `1.${id.toString('base64url')}.`
  return {
    encrypt: (text: string, context: string): string =>
      createPrefix(currentKey) + encryptBytes(currentKey.key, Buffer.from(text), context).toString('base64url'),
    /** Returns null for an unknown key, another context (table and row), or a changed text. */
    decrypt: (sealed: string, context: string): string | null => {
      const hasKeyId = sealed.includes('.')
      for (const candidate of allKeys) {
        const prefix = hasKeyId ? createPrefix(candidate) : ''
        if (!sealed.startsWith(prefix)) continue
        const text = decryptBytes(candidate.key, Buffer.from(sealed.slice(prefix.length), 'base64'), context)
        if (text !== null) return text.toString()
      }
      return null
    },
  }
}

/** Encrypts bytes. A call blocks the process until all are encrypted, so pass less than a megabyte. */
export function createByteSeal(dataKeys: DataKeys, purpose: string) {
  const { currentKey, allKeys } = deriveKeys(dataKeys, purpose)
  return {
    encrypt: (bytes: Uint8Array, context: string): Buffer =>
      Buffer.concat([currentKey.id, encryptBytes(currentKey.key, bytes, context)]),
    decrypt: (sealed: Uint8Array, context: string): Buffer | null => {
      const sealKey = allKeys.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)))
      return sealKey ? decryptBytes(sealKey.key, sealed.subarray(KEY_ID_BYTES), context) : null
    },
  }
}

function deriveKeys([current, ...previous]: DataKeys, purpose: string) {
  const derive = (key: Uint8Array) => {
    return { id: deriveKey(key, 'key id').subarray(0, KEY_ID_BYTES), key: deriveKey(key, purpose) }
  }
  const currentKey = derive(current)
  return { currentKey, allKeys: [currentKey, ...previous.map(derive)] }
}

function encryptBytes(key: Uint8Array, bytes: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
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

/** Derives a key by HKDF (RFC 5869), so that no two uses of `DATA_KEY` share a key. */
export function deriveKey(dataKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, new Uint8Array(), `intag ${purpose}`, 32))
}

import 'server-only'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createSeal, type DataKeys, deriveKey, keyId, keysOf, type Seal, sealPrefix } from './seal'

/** Of texts and of bytes; `decrypt` answers null for what this instance cannot read. */
export type RedisSeal = ReturnType<typeof createRedisSeal>

/** `onForeign` gets the id of each other key found in Redis, once. */
type Options = { keys: DataKeys; onForeign: (keyId: string) => void }

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** A fraction of a millisecond; other work runs between two pieces. */
const PIECE_BYTES = 2 ** 18

/** AES-256-GCM (NIST SP 800-38D). Instances without a key in common share nothing. */
export function createRedisSeal({ keys, onForeign }: Options) {
  const namedKeys = keysOf(keys).map(namedKey)
  const currentKey = namedKey(keys.current)
  const report = onceEach(onForeign)
  return {
    texts: textSeal(keys, report),
    bytes: {
      encrypt: (bytes: Uint8Array, place: string) => encryptBytes(currentKey, bytes, place),
      decrypt: async (sealed: Uint8Array, place: string) => {
        const id = Buffer.from(sealed.subarray(0, currentKey.id.length))
        const named = namedKeys.find((key) => key.id.equals(id))
        if (named) return decryptBytes(named, sealed, place)
        report(id.toString('base64url'))
        return null
      },
    },
  }
}

function textSeal(keys: DataKeys, report: (keyId: string) => void): Seal {
  const seal = createSeal(keys, 'texts in Redis')
  const prefixes = new Set(keysOf(keys).map(sealPrefix))
  return {
    encrypt: seal.encrypt,
    decrypt: (sealed, place) => {
      const foreign = /^1\.([\w-]{8})\./.exec(sealed)
      if (foreign?.[1] !== undefined && !prefixes.has(foreign[0])) report(foreign[1])
      return seal.decrypt(sealed, place)
    },
  }
}

function onceEach(report: (keyId: string) => void): (keyId: string) => void {
  const reported = new Set<string>()
  return (id) => {
    if (reported.has(id) || reported.size >= MAX_FOREIGN) return
    reported.add(id)
    report(id)
  }
}

const MAX_FOREIGN = 20

type NamedKey = { id: Buffer; key: Buffer }

function namedKey(dataKey: Uint8Array): NamedKey {
  return { id: keyId(dataKey), key: deriveKey(dataKey, 'bodies in Redis') }
}

async function encryptBytes({ id, key }: NamedKey, bytes: Uint8Array, place: string): Promise<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const head = id.length + NONCE_BYTES + TAG_BYTES
  const sealed = Buffer.allocUnsafe(head + bytes.length)
  await inPieces(bytes, (piece, from) => cipher.update(piece).copy(sealed, head + from))
  cipher.final()
  Buffer.concat([id, nonce, cipher.getAuthTag()]).copy(sealed)
  return sealed
}

async function decryptBytes({ id, key }: NamedKey, sealed: Uint8Array, place: string): Promise<Buffer | null> {
  const head = id.length + NONCE_BYTES + TAG_BYTES
  if (sealed.length < head) return null
  const nonce = sealed.subarray(id.length, id.length + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(id.length + NONCE_BYTES, head))
  const bytes = Buffer.allocUnsafe(sealed.length - head)
  await inPieces(sealed.subarray(head), (piece, from) => decipher.update(piece).copy(bytes, from))
  try {
    decipher.final()
    return bytes
  } catch {
    return null
  }
}

async function inPieces(bytes: Uint8Array, process: (piece: Uint8Array, from: number) => void): Promise<void> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0) await setImmediate()
    process(bytes.subarray(from, from + PIECE_BYTES), from)
  }
}

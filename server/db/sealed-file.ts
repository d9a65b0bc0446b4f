import 'server-only'
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { textAt } from '@/server/errors'
import { keyId } from '@/server/seal'

/** No backup, cut short, changed, or of another key. The message is for people. */
export class SealedFileError extends Error {
  override readonly name = 'SealedFileError'
}

const MAGIC = 'intag-backup 1 '
const CHUNK_BYTES = 2 ** 18
const LENGTH_BYTES = 4
const TAG_BYTES = 16
const MAX_HEADER_BYTES = 16_384
/** What `npm run` writes first where a backup goes to standard output. */
const NPMS_LINES = /^(?:>.*\n|\n)*$/

/**
 * Writes lines as a file (mode 0600) for this key alone: a plain first line, then gzip sealed in ordered chunks with a
 * marked last one (STREAM, Hoang et al. 2015, over AES-256-GCM with a key of this file's own). Renamed once it is whole
 * and on disk; `EEXIST` for a name in use.
 */
export async function writeSealedFile(
  path: string,
  key: Uint8Array,
  about: Record<string, unknown>,
  lines: AsyncIterable<string[]>,
): Promise<void> {
  const salt = randomBytes(32)
  const header = `${MAGIC}${JSON.stringify({ ...about, key: nameOf(key), salt: salt.toString('base64url') })}\n`
  await (await open(path, 'wx', 0o600)).close()
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.write(header)
      const sealer = sealedWith(fileKey(key, salt), digestOf(header))
      await pipeline(asText(lines), createGzip({ level: 6 }), sealer, file.createWriteStream({ flush: true }))
    } finally {
      await file.close().catch(() => {})
    }
    await rename(unfinished, path)
  } catch (error) {
    await Promise.all([rm(unfinished, { force: true }), rm(path, { force: true })])
    throw error
  }
}

async function* asText(lines: AsyncIterable<string[]>) {
  for await (const some of lines) yield Buffer.from(`${some.join('\n')}\n`)
}

type Header = { about: unknown; key: string; salt: Buffer; text: string; end: number }

/** The first line, or that after npm's own, needs no key; only the lines after it prove it. `SealedFileError` for another file. */
export async function readHeader(path: string): Promise<Header> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0)
    const start = buffer.indexOf(MAGIC)
    const end = buffer.indexOf('\n', start) + 1
    const before = buffer.subarray(0, Math.max(0, start)).toString('utf8')
    if (start < 0 || end === 0 || end > bytesRead || !NPMS_LINES.test(before))
      throw new SealedFileError('This is no backup of Intag.')
    const text = buffer.subarray(start, end).toString('utf8')
    const about: unknown = JSON.parse(text.slice(MAGIC.length))
    const [key, salt] = [textAt(about, 'key'), Buffer.from(textAt(about, 'salt'), 'base64url')]
    return { about, key, salt, text, end }
  } catch (error) {
    throw error instanceof SyntaxError ? new SealedFileError('This is no backup of Intag.') : error
  } finally {
    await file.close()
  }
}

/** The lines in batches, with the key that the file names. `SealedFileError` as soon as something is wrong. */
export async function* readSealedFile(path: string, keys: readonly Uint8Array[]): AsyncGenerator<string[]> {
  const header = await readHeader(path)
  const key = keys.find((each) => nameOf(each) === header.key)
  if (!key) throw new SealedFileError(otherKey(header.key, keys))
  const bytes = createReadStream(path, { start: header.end })
  const plain = createGunzip({ chunkSize: CHUNK_BYTES })
  const opening = pipeline(bytes, openedWith(fileKey(key, header.salt), digestOf(header.text)), plain)
  opening.catch(() => {})
  let rest = ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const part of plain) {
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
    await opening
  } catch (error) {
    throw error instanceof SealedFileError ? error : new SealedFileError(DAMAGED, { cause: error })
  } finally {
    bytes.destroy()
  }
  if (rest !== '') throw new SealedFileError(DAMAGED)
}

const DAMAGED = 'The backup is cut short or was changed: it cannot be used.'

function otherKey(needed: string, keys: readonly Uint8Array[]): string {
  return `The backup was made with another DATA_KEY (its id is ${needed}; here is ${keys.map(nameOf).join(', ')}). Set that one as DATA_KEY, or as DATA_KEY_PREVIOUS beside the new one.`
}

function nameOf(key: Uint8Array): string {
  return keyId(key).toString('base64url')
}

/** A key per file (HKDF, RFC 5869), so that chunk numbers make unique nonces. */
function fileKey(key: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, salt, 'intag backups', 32))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(index, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function sealedWith(key: Uint8Array, about: Buffer) {
  let index = 0
  const chunk = (plain: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index++, isLast)).setAAD(about)
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(body.length)
    return Buffer.concat([length, body, cipher.getAuthTag()])
  }
  return (bytes: AsyncIterable<Buffer>) => inChunks(bytes, () => CHUNK_BYTES, chunk)
}

function openedWith(key: Uint8Array, about: Buffer) {
  let index = 0
  const chunk = (sealed: Buffer, isLast: boolean) => {
    const [head, tail] = [LENGTH_BYTES, sealed.length - TAG_BYTES]
    if (sealed.length !== wholeLength(sealed)) throw new SealedFileError(DAMAGED)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index++, isLast), { authTagLength: TAG_BYTES })
    decipher.setAAD(about).setAuthTag(sealed.subarray(tail))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(head, tail)), decipher.final()])
    } catch {
      throw new SealedFileError(DAMAGED)
    }
  }
  return (bytes: AsyncIterable<Buffer>) => inChunks(bytes, wholeLength, chunk)
}

/** Maps each chunk; the last is known by the end of the bytes. `lengthOf` the chunk that a buffer begins with. */
async function* inChunks(
  bytes: AsyncIterable<Buffer>,
  lengthOf: (waiting: Buffer) => number,
  make: (chunk: Buffer, isLast: boolean) => Buffer,
): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0)
  for await (const part of bytes) {
    waiting = Buffer.concat([waiting, part])
    for (let length = lengthOf(waiting); waiting.length > length; length = lengthOf(waiting)) {
      yield make(waiting.subarray(0, length), false)
      waiting = waiting.subarray(length)
    }
  }
  yield make(waiting, true)
}

/** Of a chunk with its frame; infinite while unknown. */
function wholeLength(waiting: Buffer): number {
  if (waiting.length < LENGTH_BYTES) return Infinity
  const body = waiting.readUInt32BE()
  if (body > CHUNK_BYTES) throw new SealedFileError(DAMAGED)
  return LENGTH_BYTES + body + TAG_BYTES
}

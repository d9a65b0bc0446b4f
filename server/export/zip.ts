import 'server-only'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

type ZipEntry = { path: string; chunks: AsyncIterable<string> | Iterable<string> }

/** Buffers some chunks, so that rows are produced while others are compressed. Level 3 takes half the time of 5. */
const DEFLATING = { level: 3, chunkSize: 65_536, highWaterMark: 262_144 }

/** Sizes and checksum follow the data, and names are UTF-8 (bits 3 and 11 of the general purpose flags). */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION = 20
/** 1 January 1980: the date is not disclosed. */
const DATE = 0x0021

/** PKWARE APPNOTE 6.3, produced while it is read. For archives below 4 GB. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, chunks } of entries) {
    let [crc, size, packed] = [0, 0, 0]
    const measured = async function* () {
      for await (const text of chunks) {
        const bytes = Buffer.from(text, 'utf8')
        crc = crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    }
    const name = Buffer.from(path, 'utf8')
    const method = encodeUint16(VERSION, FLAGS, DEFLATE, 0, DATE)
    const header = Buffer.concat([encodeUint32(0x04034b50), method, encodeUint32(0, 0, 0), encodeUint16(name.length, 0), name])
    yield header
    const stream = createDeflateRaw(DEFLATING)
    const feeding = pipeline(measured(), stream)
    feeding.catch(() => undefined)
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue
      packed += chunk.length
      yield chunk
    }
    await feeding
    const descriptor = encodeUint32(0x08074b50, crc, packed, size)
    yield descriptor
    const place = [encodeUint32(crc, packed, size), encodeUint16(name.length, 0, 0, 0, 0), encodeUint32(0, offset)]
    directory.push(Buffer.concat([encodeUint32(0x02014b50), encodeUint16(VERSION), method, ...place, name]))
    offset += header.length + packed + descriptor.length
  }
  const listed = Buffer.concat(directory)
  yield listed
  const many = directory.length
  yield Buffer.concat([encodeUint32(0x06054b50), encodeUint16(0, 0, many, many), encodeUint32(listed.length, offset), encodeUint16(0)])
}

function encodeUint16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, 2 * index)
  return buffer
}

function encodeUint32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 4 * index)
  return buffer
}

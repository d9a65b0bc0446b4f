import 'server-only'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

type ZipEntry = { path: string; chunks: AsyncIterable<string> | Iterable<string> }
type Written = { path: string; offset: number; crc: number; packed: number; size: number }

/** PKWARE APPNOTE 6.3, produced while it is read. For archives below 4 GB. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = []
  let offset = 0
  for (const { path, chunks } of entries) {
    const entry: Written = { path, offset, crc: 0, packed: 0, size: 0 }
    const header = localHeader(path)
    yield header
    for await (const chunk of deflate(measure(chunks, entry))) {
      entry.packed += chunk.length
      yield chunk
    }
    const descriptor = u32(0x08074b50, entry.crc, entry.packed, entry.size)
    yield descriptor
    offset += header.length + entry.packed + descriptor.length
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  const [many, size] = [written.length, directory.length]
  yield Buffer.concat([u32(0x06054b50), u16(0, 0, many, many), u32(size, offset), u16(0)])
}

async function* measure(chunks: ZipEntry['chunks'], entry: Written): AsyncGenerator<Buffer> {
  for await (const text of chunks) {
    const bytes = Buffer.from(text, 'utf8')
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

/** Buffers some chunks, so that rows are produced while others are compressed. Level 3 takes half the time of 5. */
const DEFLATING = { level: 3, chunkSize: 65_536, highWaterMark: 262_144 }

async function* deflate(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const stream = createDeflateRaw(DEFLATING)
  const feeding = pipeline(source, stream)
  feeding.catch(() => undefined)
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk
  await feeding
}

/** Sizes and checksum follow the data, and names are UTF-8 (bits 3 and 11 of the general purpose flags). */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION = 20
/** 1 January 1980: the date is not disclosed. */
const DATE = 0x0021

function localHeader(path: string): Buffer {
  const name = Buffer.from(path, 'utf8')
  const method = u16(VERSION, FLAGS, DEFLATE, 0, DATE)
  return Buffer.concat([u32(0x04034b50), method, u32(0, 0, 0), u16(name.length, 0), name])
}

function directoryEntry({ path, offset, crc, packed, size }: Written): Buffer {
  const name = Buffer.from(path, 'utf8')
  const method = u16(VERSION, VERSION, FLAGS, DEFLATE, 0, DATE)
  const lengths = u16(name.length, 0, 0, 0, 0)
  return Buffer.concat([u32(0x02014b50), method, u32(crc, packed, size), lengths, u32(0, offset), name])
}

function u16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, 2 * index)
  return buffer
}

function u32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 4 * index)
  return buffer
}

import type { SearchTexts } from '@/lib/leads/search-texts'

/** Search texts that only grow. A larger copy replaces a full array, so that arrays in use by readers stay valid. */
export type TextStore = { count: number; starts: Uint32Array; bytes: Uint8Array; countAtTrim: number }

export function createTextStore(): TextStore {
  const store = { count: 0, starts: new Uint32Array(1), bytes: new Uint8Array(0), countAtTrim: 0 }
  append(store, new Uint8Array(0))
  return store
}

const SPARE_FACTOR = 1.02

/** Frees the spare room for more texts, except for a fiftieth. */
export function trimTexts(store: TextStore): void {
  store.countAtTrim = store.count
  resize(store, Math.ceil((store.count + 1) * SPARE_FACTOR), Math.ceil(countBytes(store) * SPARE_FACTOR))
}

/** Creates a function that returns a text's index, and adds the text unless this writer has added it before. */
export function createTextWriter(store: TextStore): (text: Uint8Array) => number {
  const indexByHash = new Map<number, number>()
  return (text) => {
    const hash = hashBytes(text)
    const knownIndex = indexByHash.get(hash)
    if (knownIndex !== undefined && isEqual(store, knownIndex, text)) return knownIndex
    const newIndex = store.count
    append(store, text)
    if (knownIndex === undefined) indexByHash.set(hash, newIndex)
    return newIndex
  }
}

/** A store is compacted once it has grown by a quarter, so about a fifth of it may be unused until then. */
const MAX_GROWTH = 1.25
const MIN_ADDED = 1_000

/** Returns the store for the next list, compacted if it has grown much, and the rows' indexes in it. */
export function compact(store: TextStore, textIndexes: Uint32Array): { store: TextStore; textIndexes: Uint32Array } {
  if (store.count <= store.countAtTrim * MAX_GROWTH + MIN_ADDED) return { store, textIndexes }
  const isUsed = new Uint8Array(store.count + 1)
  for (const index of textIndexes) isUsed[index] = 1
  // Every store begins with the empty text.
  isUsed[0] = 0
  const next = createTextStore()
  const newIndexes = new Uint32Array(store.count)
  for (let from = isUsed.indexOf(1); from !== -1;) {
    const until = isUsed.indexOf(0, from)
    for (let index = from; index < until; index++) newIndexes[index] = next.count + index - from
    appendRange(next, store, from, until)
    from = isUsed.indexOf(1, until)
  }
  trimTexts(next)
  return { store: next, textIndexes: textIndexes.map((index) => newIndexes[index] ?? 0) }
}

function append(store: TextStore, text: Uint8Array): void {
  reserve(store, 1, text.length)
  const start = countBytes(store)
  store.bytes.set(text, start)
  store.starts[++store.count] = start + text.length
}

function appendRange(store: TextStore, source: SearchTexts, first: number, until: number): void {
  const firstByte = source.starts[first] ?? 0
  const end = source.starts[until] ?? 0
  reserve(store, until - first, end - firstByte)
  const shift = countBytes(store) - firstByte
  store.bytes.set(source.bytes.subarray(firstByte, end), countBytes(store))
  for (let next = first + 1; next <= until; next++) store.starts[++store.count] = (source.starts[next] ?? 0) + shift
}

const GROWTH_FACTOR = 1.25

function reserve(store: TextStore, textCount: number, byteCount: number): void {
  const grow = (length: number, needed: number) => (needed <= length ? length : Math.ceil(needed * GROWTH_FACTOR))
  const startsLength = grow(store.starts.length, store.count + 1 + textCount)
  resize(store, startsLength, grow(store.bytes.length, countBytes(store) + byteCount))
}

function resize(store: TextStore, startsLength: number, bytesLength: number): void {
  if (startsLength !== store.starts.length)
    store.starts = copyInto(store.starts.subarray(0, store.count + 1), new Uint32Array(startsLength))
  if (bytesLength !== store.bytes.length)
    store.bytes = copyInto(store.bytes.subarray(0, countBytes(store)), new Uint8Array(bytesLength))
}

function countBytes({ starts, count }: TextStore): number {
  return starts[count] ?? 0
}

function copyInto<T extends Uint8Array | Uint32Array>(source: T, target: T): T {
  target.set(source)
  return target
}

/** Hashes by FNV-1a. */
function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193)
  return hash
}

function isEqual({ starts, bytes }: TextStore, index: number, text: Uint8Array): boolean {
  const start = starts[index] ?? 0
  if ((starts[index + 1] ?? 0) - start !== text.length) return false
  for (let offset = 0; offset < text.length; offset++) if (bytes[start + offset] !== text[offset]) return false
  return true
}

import type { ByteStrings } from '@/lib/leads/search-texts'

/** Search texts, to which more are added at the end. `marks` has the letter marks of each. */
export type TextStore = GrowingStrings & { marks: GrowingStrings; countAtTrim: number }

/** Strings of bytes in one array. A larger copy replaces a full array, so that the strings of a reader stay. */
type GrowingStrings = { count: number; starts: Uint32Array; bytes: Uint8Array }

export function createTextStore(): TextStore {
  const store = { ...createStrings(), marks: createStrings(), countAtTrim: 0 }
  append(store, [])
  append(store.marks, [])
  return store
}

const SPARE_FACTOR = 1.02

/** Frees the room that was kept for more texts, except for a fiftieth. */
export function trimTexts(store: TextStore): void {
  store.countAtTrim = store.count
  for (const strings of [store, store.marks])
    resize(strings, Math.ceil((strings.count + 1) * SPARE_FACTOR), Math.ceil(countBytes(strings) * SPARE_FACTOR))
}

/** Creates a function that returns a text's index, and adds the text unless it has written it before. */
export function createTextWriter(store: TextStore): (text: Uint8Array, marks: readonly number[]) => number {
  const indexByHash = new Map<number, number>()
  return (text, marks) => {
    const hash = hashBytes(marks, hashBytes(text))
    const knownIndex = indexByHash.get(hash)
    if (knownIndex !== undefined && isEqual(store, knownIndex, text) && isEqual(store.marks, knownIndex, marks))
      return knownIndex
    const newIndex = store.count
    append(store, text)
    append(store.marks, marks)
    if (knownIndex === undefined) indexByHash.set(hash, newIndex)
    return newIndex
  }
}

/** A store that has grown by a quarter is compacted, so that about a fifth of it may be unused. */
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
    appendRange(next.marks, store.marks, from, until)
    from = isUsed.indexOf(1, until)
  }
  trimTexts(next)
  return { store: next, textIndexes: textIndexes.map((index) => newIndexes[index] ?? 0) }
}

function createStrings(): GrowingStrings {
  return { count: 0, starts: new Uint32Array(1), bytes: new Uint8Array(0) }
}

function append(strings: GrowingStrings, piece: ArrayLike<number>): void {
  reserve(strings, 1, piece.length)
  const start = countBytes(strings)
  strings.bytes.set(piece, start)
  strings.starts[++strings.count] = start + piece.length
}

function appendRange(strings: GrowingStrings, source: ByteStrings, first: number, until: number): void {
  const firstByte = source.starts[first] ?? 0
  const end = source.starts[until] ?? 0
  reserve(strings, until - first, end - firstByte)
  const shift = countBytes(strings) - firstByte
  strings.bytes.set(source.bytes.subarray(firstByte, end), countBytes(strings))
  for (let next = first + 1; next <= until; next++) strings.starts[++strings.count] = (source.starts[next] ?? 0) + shift
}

const GROWTH_FACTOR = 1.25

function reserve(strings: GrowingStrings, pieces: number, bytes: number): void {
  const grow = (length: number, needed: number) => (needed <= length ? length : Math.ceil(needed * GROWTH_FACTOR))
  const starts = grow(strings.starts.length, strings.count + 1 + pieces)
  resize(strings, starts, grow(strings.bytes.length, countBytes(strings) + bytes))
}

function resize(strings: GrowingStrings, starts: number, bytes: number): void {
  if (starts !== strings.starts.length)
    strings.starts = copyInto(strings.starts.subarray(0, strings.count + 1), new Uint32Array(starts))
  if (bytes !== strings.bytes.length)
    strings.bytes = copyInto(strings.bytes.subarray(0, countBytes(strings)), new Uint8Array(bytes))
}

function countBytes({ starts, count }: GrowingStrings): number {
  return starts[count] ?? 0
}

function copyInto<T extends Uint8Array | Uint32Array>(source: T, target: T): T {
  target.set(source)
  return target
}

/** Hashes by FNV-1a. */
function hashBytes(bytes: ArrayLike<number>, seed = 0x811c9dc5): number {
  let hash = seed
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193)
  return hash
}

function isEqual({ starts, bytes }: ByteStrings, index: number, piece: ArrayLike<number>): boolean {
  const start = starts[index] ?? 0
  if ((starts[index + 1] ?? 0) - start !== piece.length) return false
  for (let offset = 0; offset < piece.length; offset++) if (bytes[start + offset] !== piece[offset]) return false
  return true
}

import 'server-only'
import type { ByteStrings, SearchTexts } from '@/lib/leads/search-texts'

/** Search texts that grow. Texts are added at the end and never move. */
export type TextStore = ReturnType<typeof createTextStore>

export function createTextStore() {
  const [texts, marks] = [createByteStrings(), createByteStrings()]
  let countAtTrim = 0
  const store = {
    get count() {
      return texts.count()
    },
    get countAtTrim() {
      return countAtTrim
    },
    get starts() {
      return texts.starts
    },
    get bytes() {
      return texts.bytes
    },
    marks,
    add: (text: ArrayLike<number>, letters: readonly number[]): number => {
      texts.add(text)
      marks.add(letters)
      return texts.count() - 1
    },
    addRange: (other: SearchTexts, first: number, until: number): void => {
      texts.addRange(other, first, until)
      marks.addRange(other.marks, first, until)
    },
    trim: (): void => {
      countAtTrim = texts.count()
      texts.shrink()
      marks.shrink()
    },
  }
  store.add([], [])
  return store
}

const GROWTH_FACTOR = 1.25
const SPARE_FACTOR = 1.02

/** A larger copy replaces an array that became too small; arrays that were handed out do not change. */
function createByteStrings() {
  let count = 0
  let starts = new Uint32Array(1)
  let bytes = new Uint8Array(0)
  const size = () => starts[count] ?? 0

  function resize(forStarts: number, forBytes: number): void {
    if (forStarts !== starts.length) starts = copyInto(starts.subarray(0, count + 1), new Uint32Array(forStarts))
    if (forBytes !== bytes.length) bytes = copyInto(bytes.subarray(0, size()), new Uint8Array(forBytes))
  }

  function reserve(pieces: number, length: number): void {
    const room = (now: number, needed: number) => (needed <= now ? now : Math.ceil(needed * GROWTH_FACTOR))
    resize(room(starts.length, count + 1 + pieces), room(bytes.length, size() + length))
  }

  return {
    count: () => count,
    get starts() {
      return starts
    },
    get bytes() {
      return bytes
    },
    add: (piece: ArrayLike<number>): void => {
      reserve(1, piece.length)
      const start = size()
      bytes.set(piece, start)
      starts[++count] = start + piece.length
    },
    addRange: (other: ByteStrings, first: number, until: number): void => {
      const [firstByte, end] = [other.starts[first] ?? 0, other.starts[until] ?? 0]
      reserve(until - first, end - firstByte)
      const shift = size() - firstByte
      bytes.set(other.bytes.subarray(firstByte, end), size())
      for (let next = first + 1; next <= until; next++) starts[++count] = (other.starts[next] ?? 0) + shift
    },
    shrink: () => resize(Math.ceil((count + 1) * SPARE_FACTOR), Math.ceil(size() * SPARE_FACTOR)),
  }
}

function copyInto<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Makes a function that returns a text's index, and adds the text unless it was written before. */
export function createTextWriter(store: TextStore): (text: Uint8Array, letters: readonly number[]) => number {
  const indexByHash = new Map<number, number>()
  return (text, letters) => {
    const hash = hashBytes(letters, hashBytes(text))
    const existing = indexByHash.get(hash)
    if (existing !== undefined && isEqual(store, existing, text) && isEqual(store.marks, existing, letters))
      return existing
    const added = store.add(text, letters)
    if (existing === undefined) indexByHash.set(hash, added)
    return added
  }
}

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

/** The store is compacted once a quarter has been added, so that about a fifth of it may be unused. */
const MAX_GROWTH = 1.25
const MIN_ADDED = 1_000

/** Returns the store for the next list, compacted when much was added, and the rows' indexes in it. */
export function compact(store: TextStore, rows: Uint32Array): { store: TextStore; rows: Uint32Array } {
  if (store.count <= store.countAtTrim * MAX_GROWTH + MIN_ADDED) return { store, rows }
  const isUsed = new Uint8Array(store.count + 1)
  for (let row = 0; row < rows.length; row++) isUsed[rows[row] ?? 0] = 1
  // Every store begins with the empty text.
  isUsed[0] = 0
  const next = createTextStore()
  const newIndexes = new Uint32Array(store.count)
  for (let from = isUsed.indexOf(1); from !== -1;) {
    const until = isUsed.indexOf(0, from)
    for (let text = from; text < until; text++) newIndexes[text] = next.count + text - from
    next.addRange(store, from, until)
    from = isUsed.indexOf(1, until)
  }
  next.trim()
  return { store: next, rows: rows.map((text) => newIndexes[text] ?? 0) }
}

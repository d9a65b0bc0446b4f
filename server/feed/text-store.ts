import 'server-only'
import type { ByteStrings, SearchTexts } from '@/lib/leads/search-texts'

/** Search texts that can be added to; those that are there stay where they are. */
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
    addRange: (other: SearchTexts, from: number, until: number): void => {
      texts.addRange(other, from, until)
      marks.addRange(other.marks, from, until)
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

const ROOM_TO_GROW = 1.25
const ROOM_TO_ADD = 1.02

/** An array handed out stays as it is when this one is replaced. */
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
    const room = (now: number, needed: number) => (needed <= now ? now : Math.ceil(needed * ROOM_TO_GROW))
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
    addRange: (other: ByteStrings, from: number, until: number): void => {
      const [first, end] = [other.starts[from] ?? 0, other.starts[until] ?? 0]
      reserve(until - from, end - first)
      const shift = size() - first
      bytes.set(other.bytes.subarray(first, end), size())
      for (let next = from + 1; next <= until; next++) starts[++count] = (other.starts[next] ?? 0) + shift
    },
    shrink: () => resize(Math.ceil((count + 1) * ROOM_TO_ADD), Math.ceil(size() * ROOM_TO_ADD)),
  }
}

function copyInto<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Adds each text once. */
export function createTextWriter(store: TextStore): (text: Uint8Array, letters: readonly number[]) => number {
  const firstOf = new Map<number, number>()
  return (text, letters) => {
    const hash = hashBytes(letters, hashBytes(text))
    const existing = firstOf.get(hash)
    if (existing !== undefined && isEqual(store, existing, text) && isEqual(store.marks, existing, letters))
      return existing
    const added = store.add(text, letters)
    if (existing === undefined) firstOf.set(hash, added)
    return added
  }
}

function hashBytes(bytes: ArrayLike<number>, before = 0x811c9dc5): number {
  let hash = before
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}

function isEqual({ starts, bytes }: ByteStrings, number: number, piece: ArrayLike<number>): boolean {
  const start = starts[number] ?? 0
  if ((starts[number + 1] ?? 0) - start !== piece.length) return false
  for (let at = 0; at < piece.length; at++) if (bytes[start + at] !== piece[at]) return false
  return true
}

/** Unused texts stay until they are about a fifth of all. */
const MAX_GROWTH = 1.25
const MIN_ADDED = 1_000

/** The store for the next list, compacted when much was added, and the rows' numbers in it. */
export function compact(store: TextStore, rows: Uint32Array): { store: TextStore; rows: Uint32Array } {
  if (store.count <= store.countAtTrim * MAX_GROWTH + MIN_ADDED) return { store, rows }
  const isUsed = new Uint8Array(store.count + 1)
  for (let row = 0; row < rows.length; row++) isUsed[rows[row] ?? 0] = 1
  // The empty text is in each store.
  isUsed[0] = 0
  const next = createTextStore()
  const numbers = new Uint32Array(store.count)
  for (let from = isUsed.indexOf(1); from !== -1;) {
    const until = isUsed.indexOf(0, from)
    for (let text = from; text < until; text++) numbers[text] = next.count + text - from
    next.addRange(store, from, until)
    from = isUsed.indexOf(1, until)
  }
  next.trim()
  return { store: next, rows: rows.map((text) => numbers[text] ?? 0) }
}

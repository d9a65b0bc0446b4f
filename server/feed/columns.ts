import 'server-only'

export type NumberArray = Float64Array | Int32Array | Uint32Array

const FIRST_CAPACITY = 1_024
const ROOM_FOR_NEW = 64

/** A typed array that grows. `copyFromBase` appends rows of `base`, each increased by `shift`. */
export function createNumberColumn<T extends NumberArray>(ArrayType: new (length: number) => T, base?: T) {
  let cells: NumberArray = new ArrayType(base === undefined ? FIRST_CAPACITY : base.length + ROOM_FOR_NEW)
  let size = 0

  function reserve(length: number): void {
    if (length <= cells.length) return
    const larger: NumberArray = new ArrayType(Math.max(length, cells.length * 2))
    larger.set(cells)
    cells = larger
  }

  return {
    push: (value: number): void => {
      reserve(size + 1)
      cells[size++] = value
    },
    copyFromBase: (start: number, end: number, shift = 0): void => {
      if (base === undefined) return
      const until = size + end - start
      reserve(until)
      cells.set(base.subarray(start, end), size)
      if (shift !== 0) for (let row = size; row < until; row++) cells[row] = (cells[row] ?? 0) + shift
      size = until
    },
    finish: (): T => cells.slice(0, size) as T,
  }
}

export function createTextColumn(base: readonly string[] = []) {
  const texts: string[] = []
  return {
    push: (text: string): void => void texts.push(text),
    copyFromBase: (start: number, end: number): void => {
      for (let row = start; row < end; row++) texts.push(base[row] ?? '')
    },
    finish: (): readonly string[] => texts.slice(),
  }
}

/** Texts that repeat: each row is an index into the distinct `texts`, every one of which occurs. */
export type DictionaryColumn = { readonly indexes: Uint32Array; readonly texts: readonly string[] }

export const NO_TEXT = 4_294_967_295

export function createDictionaryColumn(base?: DictionaryColumn) {
  const texts = [...(base?.texts ?? [])]
  const indexByText = new Map(texts.map((text, index) => [text, index]))
  const indexes = createNumberColumn<Uint32Array>(Uint32Array, base?.indexes)

  function internText(text: string): number {
    const index = indexByText.get(text)
    if (index !== undefined) return index
    indexByText.set(text, texts.length)
    return texts.push(text) - 1
  }

  return {
    push: (text: string | null): void => indexes.push(text === null ? NO_TEXT : internText(text)),
    copyFromBase: indexes.copyFromBase,
    /** Unused texts are dropped, because a column that is carried from refresh to refresh would grow for ever. */
    finish: (): DictionaryColumn => {
      const rows = indexes.finish()
      const isUsed = new Uint8Array(texts.length)
      for (const index of rows) isUsed[index] = 1
      if (!isUsed.includes(0)) return { indexes: rows, texts }
      let count = 0
      const newIndexes = Array.from(isUsed, (flag) => (flag === 0 ? NO_TEXT : count++))
      const usedTexts = texts.filter((_, index) => isUsed[index] === 1)
      return { indexes: rows.map((index) => newIndexes[index] ?? NO_TEXT), texts: usedTexts }
    },
  }
}

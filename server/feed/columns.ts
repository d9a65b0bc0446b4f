export type NumberArray = Float64Array | Int32Array | Uint32Array

const INITIAL_CAPACITY = 1_024
/** A column with a base has room for this many new rows. A body rarely brings more, so the column need not grow. */
const SPARE_ROW_COUNT = 64

/** Builds a typed array that grows. `copyFromBase` appends rows of `base`, each increased by `offset`. */
export function createNumberColumn<T extends NumberArray>(ArrayType: new (length: number) => T, base?: NumberArray) {
  let cells: NumberArray = new ArrayType(base === undefined ? INITIAL_CAPACITY : base.length + SPARE_ROW_COUNT)
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
    copyFromBase: (start: number, end: number, offset = 0): void => {
      if (base === undefined) return
      const until = size + end - start
      reserve(until)
      cells.set(base.subarray(start, end), size)
      if (offset !== 0) for (let row = size; row < until; row++) cells[row] = (cells[row] ?? 0) + offset
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
    /** Returns a copy, which has no spare capacity, unlike an array that has grown. */
    finish: (): readonly string[] => texts.slice(),
  }
}

/** Texts that repeat: each row is an index into the distinct `texts`, every one of which occurs. */
export type DictionaryColumn = { readonly indexes: Uint32Array; readonly texts: readonly string[] }

export const NO_TEXT = 0xffff_ffff

export function createDictionaryColumn(base?: DictionaryColumn) {
  const texts: string[] = []
  const indexByText = new Map<string, number>()
  const indexes = createNumberColumn(Uint32Array, base?.indexes)

  function push(text: string | null): void {
    if (text === null) return indexes.push(NO_TEXT)
    let index = indexByText.get(text)
    if (index === undefined) {
      index = texts.push(text) - 1
      indexByText.set(text, index)
    }
    indexes.push(index)
  }

  return {
    push,
    /** Collects the texts again, so that texts that no row has any more do not pile up from refresh to refresh. */
    copyFromBase: (start: number, end: number): void => {
      for (let row = start; row < end; row++) {
        const index = base?.indexes[row] ?? NO_TEXT
        // `NO_TEXT` is no array index, and reading it as a property of `texts` would be slow.
        push(index === NO_TEXT ? null : (base?.texts[index] ?? null))
      }
    },
    finish: (): DictionaryColumn => ({ indexes: indexes.finish(), texts }),
  }
}

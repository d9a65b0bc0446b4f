import { createNumberColumn } from './number-column'

/** A column of texts that repeat: each row is an index into the distinct `texts`, every one of which occurs. */
export type TextColumn = { readonly indexes: Uint32Array; readonly texts: readonly string[] }

/** The index of a row that has no text. */
export const NO_TEXT = 4_294_967_295

export type DictionaryColumn = {
  push: (text: string | null) => void
  /** Appends rows of the column that this one was based on. */
  append: (start: number, end: number) => void
  finish: () => TextColumn
}

export function createDictionaryColumn(base: TextColumn | null, capacity: number): DictionaryColumn {
  const texts = base === null ? [] : [...base.texts]
  const indexOf = new Map(texts.map((text, index) => [text, index]))
  const indexes = createNumberColumn<Uint32Array>((length) => new Uint32Array(length), capacity)

  function indexFor(text: string): number {
    const known = indexOf.get(text)
    if (known !== undefined) return known
    indexOf.set(text, texts.length)
    return texts.push(text) - 1
  }

  return {
    push: (text) => indexes.push(text === null ? NO_TEXT : indexFor(text)),
    append: (start, end) => {
      if (base !== null) indexes.append(base.indexes, start, end)
    },
    finish: () => withoutUnused(indexes.finish(), texts),
  }
}

/** Texts whose last row went away go too, so that a column carried from refresh to refresh does not grow for ever. */
function withoutUnused(indexes: Uint32Array, texts: readonly string[]): TextColumn {
  if (texts.length === 0) return { indexes, texts }
  const isUsed = new Uint8Array(texts.length)
  for (let row = 0; row < indexes.length; row++) isUsed[indexes[row] ?? NO_TEXT] = 1
  if (!isUsed.includes(0)) return { indexes, texts }
  let used = 0
  const renumbered = Array.from(isUsed, (flag) => (flag === 0 ? NO_TEXT : used++))
  const kept = indexes.map((index) => renumbered[index] ?? NO_TEXT)
  return { indexes: kept, texts: texts.filter((_, index) => isUsed[index] === 1) }
}

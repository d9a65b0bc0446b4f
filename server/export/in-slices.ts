import 'server-only'

/** A chunk of a file, characters: enough for the network, soon enough for the progress in a browser. */
const CHUNK_LENGTH = 48_000
const SLICE_MS = 4

/**
 * The lines of a file in chunks, made when the reader asks for them. After each chunk others have their turn, and the next is
 * begun only when the reader wants more, so that a slow one costs no memory. `written` is told how many lines went out.
 */
export async function* inSlices(options: {
  count: number
  line: (index: number) => string
  rest: () => Promise<void>
  written: (count: number) => void
}): AsyncGenerator<string> {
  const { count, line, rest, written } = options
  let text = ''
  let sliceEnd = performance.now() + SLICE_MS
  for (let index = 0; index < count; index++) {
    text += line(index)
    const isLong = text.length >= CHUNK_LENGTH
    if (!isLong && performance.now() < sliceEnd) continue
    if (isLong) {
      yield text
      text = ''
      written(index + 1)
    }
    await rest()
    sliceEnd = performance.now() + SLICE_MS
  }
  if (text !== '') yield text
  written(count)
}

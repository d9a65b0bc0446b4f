/** Collects texts. Long stretches of an earlier column are taken over by native copies, which cost next to nothing. */
export type TextCollector = {
  push: (text: string) => void
  /** Appends `from[start..end)`. */
  append: (from: readonly string[], start: number, end: number) => void
  finish: () => readonly string[]
}

const LONG_STRETCH = 64

export function createTextCollector(): TextCollector {
  const stretches: (readonly string[])[] = []
  let last: string[] = []

  function closeLast(): void {
    if (last.length > 0) stretches.push(last)
    last = []
  }

  return {
    push: (text) => void last.push(text),
    append: (from, start, end) => {
      if (end - start < LONG_STRETCH) {
        for (let at = start; at < end; at++) last.push(from[at] ?? '')
        return
      }
      closeLast()
      stretches.push(from.slice(start, end))
    },
    finish: () => {
      closeLast()
      return new Array<string>().concat(...stretches)
    },
  }
}

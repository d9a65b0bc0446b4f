export type UrlChange = Readonly<Record<string, readonly string[]>>
export type UrlHistory = 'push' | 'replace'

/** Changes some parameters; none of its values removes one. */
export function changedSearch(search: string, change: UrlChange): string {
  const params = new URLSearchParams(search)
  for (const [name, values] of Object.entries(change)) {
    params.delete(name)
    for (const value of values) params.append(name, value)
  }
  return params.toString()
}

export type UrlWriter = {
  /** `push` is written at once, `replace` may wait a little. */
  write: (search: string, history: UrlHistory) => void
  isWaiting: () => boolean
  forget: () => void
}

/** Browsers refuse more than some hundred changes in half a minute; a key held down makes thirty a second. */
const PAUSE_MS = 120

export function createUrlWriter(options: {
  set: (search: string, history: UrlHistory) => void
  schedule: (delayMs: number, run: () => void) => () => void
}): UrlWriter {
  let waiting: string | null = null
  let isPausing = false
  const flush = () => {
    const search = waiting
    waiting = null
    if (search !== null) options.set(search, 'replace')
  }
  return {
    write: (search, history) => {
      if (history === 'push') {
        waiting = null
        return options.set(search, 'push')
      }
      waiting = search
      if (isPausing) return
      flush()
      isPausing = true
      options.schedule(PAUSE_MS, () => {
        isPausing = false
        flush()
      })
    },
    isWaiting: () => waiting !== null,
    forget: () => {
      waiting = null
    },
  }
}

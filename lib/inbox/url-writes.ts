/** Values by name; none takes the parameter out of the address. */
export type UrlChange = Readonly<Record<string, readonly string[]>>
export type UrlHistory = 'push' | 'replace'

/** An address's search with some parameters changed; the others stay as and where they are. */
export function changedSearch(search: string, change: UrlChange): string {
  const params = new URLSearchParams(search)
  for (const [name, values] of Object.entries(change)) {
    params.delete(name)
    for (const value of values) params.append(name, value)
  }
  return params.toString()
}

export type UrlWriter = {
  /** A step in the history is made at once; a mere change of the address may wait a little. */
  write: (search: string, history: UrlHistory) => void
  isWaiting: () => boolean
  /** What waits is not written. */
  forget: () => void
}

/** Browsers refuse more than some hundred changes of the address in half a minute, and a key held down makes thirty a second. */
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

import { startTimeout } from './start-timeout'

export type HistoryMode = 'push' | 'replace'
export type WrittenUrl = { search: string; pathname: string }

/** Writes are throttled: browsers refuse some hundred in half a minute, and a held key makes thirty a second. */
const WRITE_GAP_MS = 120

/** Creates a queue of one: a URL that waits is replaced by a later one, and dropped before a `push`. */
export function createUrlWriter(apply: (url: WrittenUrl, history: HistoryMode) => void) {
  let pendingUrl: WrittenUrl | null = null
  let isPausing = false
  const flush = () => {
    if (pendingUrl !== null) apply(pendingUrl, 'replace')
    pendingUrl = null
  }
  return {
    /** Writes a `push` at once, and a `replace` at most a gap later. */
    write: (url: WrittenUrl, history: HistoryMode): void => {
      if (history === 'push') {
        pendingUrl = null
        return apply(url, 'push')
      }
      pendingUrl = url
      if (isPausing) return
      flush()
      isPausing = true
      startTimeout(WRITE_GAP_MS, () => {
        isPausing = false
        flush()
      })
    },
    isWaiting: () => pendingUrl !== null,
    discard: (): void => {
      pendingUrl = null
    },
  }
}

/** Each parameter's new value, or its values. Null or an empty list removes the parameter. */
export type UrlChange = Readonly<Record<string, string | number | null | readonly string[]>>

export function applyUrlChange(search: string, change: UrlChange): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    params.delete(name)
    for (const item of [value ?? []].flat()) params.append(name, String(item))
  }
  return params.toString()
}

import { startTimeout } from '@/lib/start-timeout'

export type UrlHistory = 'push' | 'replace'

/** Writes are spread, because browsers refuse some hundred changes in half a minute, and a held key makes thirty a second. */
const WRITE_GAP_MS = 120

export function createUrlWriter<Value>(apply: (value: Value, history: UrlHistory) => void) {
  let pending: { value: Value } | null = null
  let isPausing = false
  const flush = () => {
    const last = pending
    pending = null
    if (last !== null) apply(last.value, 'replace')
  }
  return {
    /** `push` is written at once, `replace` may wait a little. */
    write: (value: Value, history: UrlHistory) => {
      if (history === 'push') {
        pending = null
        return apply(value, 'push')
      }
      pending = { value }
      if (isPausing) return
      flush()
      isPausing = true
      startTimeout(WRITE_GAP_MS, () => {
        isPausing = false
        flush()
      })
    },
    isWaiting: () => pending !== null,
    discard: () => void (pending = null),
  }
}

export type LoggedRequest = {
  /** Milliseconds since the epoch, by the service's clock. */
  at: number
  method: string
  /** Path with query. */
  path: string
  /** The token's label; null when nobody was authenticated. */
  token: string | null
  /** Null while unanswered, and when a fault broke the connection instead of answering. */
  status: number | null
}

/** The newest `capacity` requests, oldest first. */
export function createRequestLog(capacity: number) {
  const entries: LoggedRequest[] = []
  return {
    entries: entries as readonly LoggedRequest[],
    add(entry: LoggedRequest): LoggedRequest {
      if (entries.length >= capacity) entries.shift()
      entries.push(entry)
      return entry
    },
    clear: () => {
      entries.length = 0
    },
  }
}

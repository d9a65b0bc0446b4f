import { readErrorCode, listCauses } from './error-codes'
import { DatabaseUnreachableError } from './errors'
import { explainDatabaseError } from './explain-database-error'
import { oncePerProcess } from './once-per-process'

const SUMMARY_INTERVAL_MS = 60_000

/** Errors of an outage are not logged one by one: at most once a minute a `summary` counts them. */
type RecordedError =
  | { kind: 'unrelated' }
  | { kind: 'suppressed' }
  | { kind: 'summary'; trouble: string; failures: number }

/** Recognises an outage of the database by its errors. */
export function createOutageMonitor(now: () => number = Date.now) {
  let summarisedAtMs = -Infinity
  let failureCount = 0
  let probe: () => Promise<boolean> = async () => true
  return {
    setProbe: (newProbe: () => Promise<boolean>): void => {
      probe = newProbe
    },
    probeDatabase: (): Promise<boolean> => probe(),
    recordError: (error: unknown): RecordedError => {
      // The database's own error, in whose place this one is thrown, has been recorded already.
      if (error instanceof DatabaseUnreachableError) return { kind: 'suppressed' }
      // Other servers fail with the same socket codes, so only errors of queries count.
      if (!listCauses(error).some(isQueryError) || !isDatabaseFault(error)) return { kind: 'unrelated' }
      failureCount += 1
      if (now() - summarisedAtMs < SUMMARY_INTERVAL_MS) return { kind: 'suppressed' }
      const summary = { kind: 'summary', trouble: explainDatabaseError(error), failures: failureCount } as const
      summarisedAtMs = now()
      failureCount = 0
      return summary
    },
  }
}

export const processOutageMonitor = oncePerProcess('outage', createOutageMonitor)

/** Whether the database failed: in an error of its own, or in one that we throw for it. */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || isDatabaseFault(error)
}

const OUTAGE_SOCKET_CODE =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|ETIMEDOUT|EPIPE|E(HOST|NET)(UNREACH|DOWN))$/
/** PostgreSQL's codes (appendix A) of an unusable connection or server, of its limits, and of read-only mode. */
const OUTAGE_SQLSTATE = /^(08|28|3D|53|57P|58|XX|25006|25P03|25P04|57014|55P03)/
const DISK_FULL = '53100'
const READ_ONLY = '25006'
const OUTAGE_MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|query read timeout|closed|not queryable/i

/** Whether an error of a query or connection is the fault of the database or the way to it, and not the query's. */
export function isDatabaseFault(error: unknown): boolean {
  return listCauses(error).some((cause) => {
    const code = readErrorCode(cause)
    if (OUTAGE_SOCKET_CODE.test(code) || OUTAGE_SQLSTATE.test(code)) return true
    // A query error's message contains the SQL, in which these words may occur.
    if (code === '' && !isQueryError(cause) && OUTAGE_MESSAGE.test(cause.message)) return true
    return cause instanceof AggregateError && cause.errors.some(isDatabaseFault)
  })
}

function isQueryError(error: Error): boolean {
  return 'query' in error && 'params' in error
}

/** Whether the database refuses writes (full disk, or read-only) and can still be read. */
export function isWriteRefused(error: unknown): boolean {
  return listCauses(error).some((cause) => [DISK_FULL, READ_ONLY].includes(readErrorCode(cause)))
}

/** Whether waiting may help: not on PGlite, nor if the user or password (28) or the database's name (3D) is wrong. */
export function mayDatabaseRecover({ databaseUrl }: { databaseUrl: string | null }, error: unknown): boolean {
  const isRefusing = listCauses(error).some((cause) => /^(28|3D)/.test(readErrorCode(cause)))
  return databaseUrl !== null && isDatabaseFault(error) && !isRefusing
}

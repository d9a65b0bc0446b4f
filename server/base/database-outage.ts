import { CERTIFICATE_FAULTS, readErrorCode, listCauses } from './error-codes'
import { DatabaseUnreachableError } from './errors'
import { oncePerProcess } from './once-per-process'

const LOG_EVERY_MS = 60_000

/** An error of an outage is only counted, unless the line that counts them is due in the log. */
type RecordedError = { kind: 'unrelated' } | { kind: 'counted' } | { kind: 'due'; trouble: string; failures: number }

/** Recognises an outage of the database by its errors, for which one line a minute is logged. */
export function createOutageMonitor(now: () => number = Date.now) {
  let loggedAt = -Infinity
  let failures = 0
  let probe: () => Promise<boolean> = async () => true
  return {
    setProbe: (newProbe: () => Promise<boolean>): void => void (probe = newProbe),
    probeDatabase: (): Promise<boolean> => probe(),
    recordError: (error: unknown): RecordedError => {
      // The error that caused this one is logged itself.
      if (error instanceof DatabaseUnreachableError) return { kind: 'counted' }
      if (!isProvenDatabaseFault(error)) return { kind: 'unrelated' }
      failures += 1
      if (now() - loggedAt < LOG_EVERY_MS) return { kind: 'counted' }
      const recorded = { kind: 'due', trouble: explainDatabaseError(error), failures } as const
      loggedAt = now()
      failures = 0
      return recorded
    },
  }
}

export const processOutageMonitor = oncePerProcess('outage', createOutageMonitor)

/** Whether waiting may help: not on PGlite, nor if the user, password or database name is wrong (28, 3D). */
export function mayDatabaseRecover({ databaseUrl }: { databaseUrl: string | null }, error: unknown): boolean {
  const isRefusing = listCauses(error).some((one) => /^(28|3D)/.test(readErrorCode(one)))
  return databaseUrl !== null && isDatabaseFault(error) && !isRefusing
}

export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || isDatabaseFault(error)
}

const SOCKET_CODE =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|ETIMEDOUT|EPIPE|E(HOST|NET)(UNREACH|DOWN))$/
/** PostgreSQL's classes (appendix A) of an unusable connection or server, and its limits of time and locks. */
const SQLSTATE = /^(08|28|3D|53|57P|58|XX|25006|25P03|25P04|57014|55P03)/
const DISK_FULL = '53100'
const READ_ONLY = '25006'
const OUTAGE_MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|query read timeout|closed|not queryable/i

/** Whether an error of a query or connection is the database's fault, and not the query's. */
export function isDatabaseFault(error: unknown): boolean {
  return listCauses(error).some((one) => {
    const code = readErrorCode(one)
    if (SOCKET_CODE.test(code) || SQLSTATE.test(code)) return true
    if (code === '' && !isQuery(one) && OUTAGE_MESSAGE.test(one.message)) return true
    return one instanceof AggregateError && one.errors.some(isDatabaseFault)
  })
}

/** Whether the database refuses writes (full disk, or read-only) and can still be read. */
export function isWriteRefused(error: unknown): boolean {
  return listCauses(error).some((one) => [DISK_FULL, READ_ONLY].includes(readErrorCode(one)))
}

/** Like `isDatabaseUnreachable`, for an error that need not come from a query or from the pool. */
export function isProvenDatabaseFault(error: unknown): boolean {
  const isOfDatabase = listCauses(error).some((one) => {
    const { stack = '', message } = one
    return isQuery(one) || /\bpg(?:-pool)?\/(?:lib|index)/.test(stack) || message.includes('when trying to connect')
  })
  return isOfDatabase && isDatabaseFault(error)
}

function isQuery(error: Error): boolean {
  return 'query' in error && 'params' in error
}

/** The first pattern that matches a code of Node or PostgreSQL, or the messages, decides. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there: is PostgreSQL running, and are host and port right?'],
  [/^ENOTFOUND$/, 'its host is unknown: is the name right?'],
  [/^EAI_(AGAIN|FAIL)$/, 'its host cannot be looked up: does DNS work?'],
  [/^ETIMEDOUT$/, 'it does not answer: is a firewall in between?'],
  [/^E(HOST|NET)(UNREACH|DOWN)$/, 'there is no way to its host: is our network up?'],
  [/^(53100|ENOSPC)$/, 'its disk is full'],
  [/^EACCES$/, 'its files may not be read or written by this user'],
  [/^08P01$/, 'its pooler refuses, or has cut the connection: is pool_mode session or transaction there?'],
  [/^25P03$/, 'a transaction was idle for too long'],
  [/^25006$/, 'it is read-only: is it a standby, or was it made so?'],
  [/^28P01$/, 'the password is wrong'],
  [/^28000$/, 'it does not let this user in: is pg_hba.conf right, and TLS?'],
  [/^3D000$/, 'there is no database of this name: create it first, with the encoding UTF8'],
  [/^42501$/, 'the user lacks a right: GRANT CREATE ON DATABASE and ON SCHEMA public, or make it the owner'],
  [/^53300$/, 'it has too many connections: raise max_connections, or run fewer instances (each takes up to 10)'],
  [/^57014$|query read timeout/i, 'a query took too long'],
  [/^57P0[12]$/, 'it was shut down, or has crashed and starts again'],
  [/^57P03$/, 'it is starting or stopping: wait a moment'],
  [/^08/, 'the connection broke'],
  [/^53/, 'it lacks room, memory or connections'],
  [/^(58|XX)/, 'it reports an error of its own: see its log'],
  [/PGlite does not open/, 'PGlite does not open: restore a backup'],
  [
    /exceeded when trying to connect|connection timeout|timeout expired/i,
    'it does not answer in time: is it overloaded, or are all connections in use?',
  ],
  [/does not support SSL/i, 'it offers no TLS: switch it on there'],
  [/^ECONNRESET$|^EPIPE$|connection terminated|not queryable|closed/i, 'the connection was cut'],
]

/** Explains an error of the database to the operator, without any address, name or value. */
export function explainDatabaseError(error: unknown): string {
  const chain = listCauses(error)
  const messages = chain.map(({ message }) => message).join(' ')
  const codes = [...chain, ...chain.flatMap((each) => (each instanceof AggregateError ? each.errors : []))].map(
    readErrorCode,
  )
  const certificateFault = codes.map((code) => CERTIFICATE_FAULTS[code]).find((words) => words !== undefined)
  if (certificateFault !== undefined) return certificateFault
  const explained = EXPLANATIONS.find(([pattern]) => [...codes, messages].some((text) => pattern.test(text)))
  if (explained !== undefined) return explained[1]
  return `it fails with ${codes.find((code) => /^[0-9A-Z_]{2,40}$/.test(code)) ?? chain.at(-1)?.name ?? 'unknown'}`
}

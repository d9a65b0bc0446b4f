import 'server-only'
import { CERTIFICATE_FAULTS, listCauses, codeOf, DatabaseUnreachableError } from './errors'
import { oncePerProcess } from './once-per-process'

/** An outage of the database is logged once a minute, and checked again before a page shows it. */
export function createOutage(now: () => number = Date.now) {
  let loggedAt = -Infinity
  let failures = 0
  let answers: () => Promise<boolean> = async () => true
  return {
    setProbe: (ask: () => Promise<boolean>): void => {
      answers = ask
    },
    databaseAnswers: (): Promise<boolean> => answers(),
    /** Null for an error of another origin; else the line to log for it, if one is due. */
    recordError: (error: unknown): { line: { trouble: string; failures: number } | null } | null => {
      // Thrown on because of another error, which is logged itself.
      if (error instanceof DatabaseUnreachableError) return { line: null }
      if (!isDatabaseOutage(error)) return null
      failures += 1
      if (now() - loggedAt < 60_000) return { line: null }
      const line = { trouble: explainDatabaseError(error), failures }
      loggedAt = now()
      failures = 0
      return { line }
    },
  }
}

export const processOutage = oncePerProcess('outage', createOutage)

/** Whether waiting may mend it: not where the database refuses the user, the password or its own name (28, 3D). */
export function mayDatabaseRecover({ databaseUrl }: { databaseUrl: string | null }, error: unknown): boolean {
  const isRefusing = listCauses(error).some((one) => /^(28|3D)/.test(codeOf(one)))
  return databaseUrl !== null && isDatabaseUnreachable(error) && !isRefusing
}

export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || isDatabaseUnreachable(error)
}

const SOCKET =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|ETIMEDOUT|EPIPE|E(HOST|NET)(UNREACH|DOWN))$/
/**
 * PostgreSQL, appendix A: 08 connection, 28 authorization, 3D catalog name, 53 resources, 57P operator intervention, 58
 * system, XX internal; limits of idle transactions, of transactions, of queries and of waiting for a lock.
 */
const SQLSTATE = /^(08|28|3D|53|57P|58|XX|25P03|25P04|57014|55P03)/
const READ_ONLY = '25006'
const MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|query read timeout|closed|not queryable/i

/** False for a wrong query. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return listCauses(error).some((one) => {
    const code = codeOf(one)
    if (SOCKET.test(code) || SQLSTATE.test(code) || code === READ_ONLY) return true
    if (code === '' && !isQuery(one) && MESSAGE.test(one.message)) return true
    return one instanceof AggregateError && one.errors.some(isDatabaseUnreachable)
  })
}

/** Whether it can still be read: its disk is full, or it is read-only. */
export function isWriteRefused(error: unknown): boolean {
  return listCauses(error).some((each) => codeOf(each) === '53100' || codeOf(each) === READ_ONLY)
}

/** Whether an error of unknown origin is the database's outage: it came by a query, or by the pool of connections. */
export function isDatabaseOutage(error: unknown): boolean {
  const isOfPool = ({ stack = '', message }: Error) =>
    /\bpg(?:-pool)?\/(?:lib|index)/.test(stack) || message.includes('when trying to connect')
  return listCauses(error).some((one) => isQuery(one) || isOfPool(one)) && isDatabaseUnreachable(error)
}

function isQuery(error: Error): boolean {
  return 'query' in error && 'params' in error
}

/** For the operator; never an address, a name or a value. */
export function explainDatabaseError(error: unknown): string {
  const chain = listCauses(error)
  const messages = chain.map(({ message }) => message).join(' ')
  const codes = [...chain, ...chain.flatMap((each) => (each instanceof AggregateError ? each.errors : []))].map(codeOf)
  const fault = codes.map((code) => CERTIFICATE_FAULTS[code]).find((words) => words !== undefined)
  const known = EXPLANATIONS.find(([pattern]) => [...codes, messages].some((text) => pattern.test(text)))
  const code = codes.find((one) => /^[0-9A-Z_]{2,40}$/.test(one)) ?? chain.at(-1)?.name ?? 'unknown'
  return fault ?? known?.[1] ?? `it fails with ${code}`
}

/** By codes of Node's sockets and of PostgreSQL (appendix A), by their class, and where there is none by the message. */
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

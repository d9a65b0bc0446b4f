import 'server-only'
import { CERTIFICATE_FAULTS, causesOf, codeOf, DatabaseUnreachableError } from './errors'

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
  return causesOf(error).some((one) => {
    const code = codeOf(one)
    if (SOCKET.test(code) || SQLSTATE.test(code) || code === READ_ONLY) return true
    if (code === '' && !isQuery(one) && MESSAGE.test(one.message)) return true
    return one instanceof AggregateError && one.errors.some(isDatabaseUnreachable)
  })
}

/** Whether it refuses these settings, so that waiting does not mend it: user, password, database, or how a pooler is set up. */
export function isDatabaseRefusing(error: unknown): boolean {
  return causesOf(error).some((one) => /^(28|3D|startup-parameter|statement-pooling)/.test(stateOf(one)))
}

const POOLERS_STATE = '08P01'
const STARTUP_PARAMETER = /unsupported startup parameter.*: (\w+)/i
/** PgBouncer has one code for all that it refuses; its messages say what PostgreSQL has codes for. */
const STATE_BY_POOLERS_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [STARTUP_PARAMETER, 'startup-parameter'],
  [/statement pooling/i, 'statement-pooling'],
  [/query_wait_timeout|server_login_retry|cannot connect to server/i, 'pool-empty'],
  [/no more connections allowed/i, '53300'],
  [/authentication failed|no such user|role ".*" does not exist/i, '28P01'],
  [/no such database|database ".*" does not exist/i, '3D000'],
]

function stateOf(error: Error): string {
  const code = codeOf(error)
  const found = code === POOLERS_STATE && STATE_BY_POOLERS_MESSAGE.find(([pattern]) => pattern.test(error.message))
  return found ? found[1] : code
}

/** Whether it can still be read: its disk is full, or it is read-only. */
export function isFull(error: unknown): boolean {
  return causesOf(error).some((each) => codeOf(each) === '53100' || codeOf(each) === READ_ONLY)
}

/** Whether an error of unknown origin is the database's outage: it came by a query, or by the pool of connections. */
export function isDatabasesOutage(error: unknown): boolean {
  const isOurs = causesOf(error).some(
    (one) =>
      isQuery(one) ||
      /\bpg(?:-pool)?\/(?:lib|index)/.test(one.stack ?? '') ||
      one.message.includes('when trying to connect'),
  )
  return isOurs && isDatabaseUnreachable(error)
}

function isQuery(error: Error): boolean {
  return 'query' in error && 'params' in error
}

/** For the operator; never an address, a name or a value. */
export function databaseTrouble(error: unknown): string {
  const chain = causesOf(error)
  const messages = chain.map(({ message }) => message).join(' ')
  const parameter = STARTUP_PARAMETER.exec(messages)?.[1]
  if (parameter !== undefined)
    return `its pooler refuses the start-up parameter ${parameter}: take it out of DATABASE_URL`
  const codes = [...chain, ...chain.flatMap((each) => (each instanceof AggregateError ? each.errors : []))].map(stateOf)
  const fault = codes.map((code) => CERTIFICATE_FAULTS[code]).find((words) => words !== undefined)
  const known = WORDS.find(([pattern]) => [...codes, messages].some((text) => pattern.test(text)))
  const code = codes.find((one) => /^[0-9A-Z_]{2,40}$/.test(one)) ?? chain.at(-1)?.name ?? 'unknown'
  return fault ?? known?.[1] ?? `it fails with ${code}`
}

/** By codes of Node's sockets and of PostgreSQL (appendix A), by their class, and where there is none by the message. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there: is PostgreSQL running, and are host and port right?'],
  [/^ENOTFOUND$/, 'its host is unknown: is the name right?'],
  [/^EAI_(AGAIN|FAIL)$/, 'its host cannot be looked up: does DNS work?'],
  [/^ETIMEDOUT$/, 'it does not answer: is a firewall in between?'],
  [/^E(HOST|NET)(UNREACH|DOWN)$/, 'there is no way to its host: is our network up?'],
  [/^(53100|ENOSPC)$/, 'its disk is full'],
  [/^EACCES$/, 'its files may not be read or written by this user'],
  [/^statement-pooling$/, 'its pooler allows no transactions: set pool_mode to session or transaction there'],
  [/^pool-empty$/, 'its pooler has no connection to give: is PostgreSQL running, and default_pool_size at least 10?'],
  [/^08P01$/, 'a pooler before it refuses or has cut the connection: see its log'],
  [/^25P03$/, 'a transaction was idle for too long'],
  [/^25006$/, 'it is read-only: is it a standby, or was it made so?'],
  [/^28P01$/, 'the password is wrong'],
  [/^28000$/, 'it does not let this user in: is pg_hba.conf right, and TLS?'],
  [/^3D000$/, 'there is no database of this name: create it first, with the encoding UTF8'],
  [/^42501$/, 'the user lacks a right: GRANT CREATE ON DATABASE and ON SCHEMA public, or make it the owner'],
  [
    /^53300$/,
    'it has too many connections: raise max_connections (of PgBouncer: max_client_conn), or run fewer instances (each takes up to 10)',
  ],
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

export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || isDatabaseUnreachable(error)
}

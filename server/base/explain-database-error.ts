import { CERTIFICATE_FAULTS, readErrorCode, listCauses } from './error-codes'

/** The first pattern that matches a code of Node or PostgreSQL, or the joined messages, decides. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there: is PostgreSQL running, and are host and port right?'],
  [/^(ENOTFOUND|EAI_)/, 'its host is unknown: is the name right, and does DNS work?'],
  [/^(ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN))$/, 'it cannot be reached: is a firewall in between, and is our network up?'],
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
  [/^57P0[123]$/, 'it is starting or stopping: wait a moment'],
  [/PGlite does not open/, 'PGlite does not open: restore a backup'],
  [
    /exceeded when trying to connect|connection timeout|timeout expired/i,
    'it does not answer in time: is it overloaded, or are all connections in use?',
  ],
  [/does not support SSL/i, 'it offers no TLS: switch it on there'],
  [/^(08|ECONNRESET|EPIPE)|connection terminated|not queryable|closed/i, 'the connection was cut'],
]

/** Explains an error of the database to the operator, without any address, name or value. */
export function explainDatabaseError(error: unknown): string {
  const chain = listCauses(error)
  const messages = chain.map(({ message }) => message).join(' ')
  const partialErrors = chain.flatMap((cause) => (cause instanceof AggregateError ? cause.errors : []))
  const codes = [...chain, ...partialErrors].map(readErrorCode)
  const certificateFault = codes.map((code) => CERTIFICATE_FAULTS[code]).find((text) => text !== undefined)
  if (certificateFault !== undefined) return certificateFault
  const [, explanation] =
    EXPLANATIONS.find(([pattern]) => [...codes, messages].some((text) => pattern.test(text))) ?? []
  if (explanation !== undefined) return explanation
  return `it fails with ${codes.find((code) => /^[0-9A-Z_]{2,40}$/.test(code)) ?? chain.at(-1)?.name ?? 'unknown'}`
}

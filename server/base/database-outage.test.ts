import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createOutageMonitor, mayDatabaseRecover, isDatabaseFault, isWriteRefused } from './database-outage'
import { DatabaseUnreachableError } from './errors'
import { explainDatabaseError } from './explain-database-error'
import { createLogger } from './logger'

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })
const queryFailed = (cause: Error) => new DrizzleQueryError('select $1', ['asa@x.test'], cause)

function world() {
  const time = { ms: 0 }
  const lines: string[] = []
  const outage = createOutageMonitor(() => time.ms)
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) }, outage)
  return { time, lines, logger }
}

test('however many fail by it, an outage is one line a minute that counts them', () => {
  const { time, lines, logger } = world()
  const away = () => queryFailed(coded('ECONNREFUSED', 'connect 10.0.0.7:5432'))
  for (let count = 0; count < 100; count += 1) {
    logger.warn({ err: away() }, 'something')
    logger.error({ err: new DatabaseUnreachableError() }, 'refused for it')
  }
  time.ms = 60_000
  logger.warn({ err: away() }, 'something')
  expect(lines.map((line) => JSON.parse(line).failures)).toEqual([1, 100])
  expect(lines.join('')).not.toMatch(/10\.0\.0\.7|asa@x|stack|"at"/)
})

test('other errors are logged unchanged', () => {
  const { lines, logger } = world()
  for (let count = 0; count < 2; count += 1) {
    logger.warn({ err: coded('ECONNREFUSED') }, 'something else cannot be reached')
    logger.error({ err: queryFailed(coded('23505')) }, 'twice the same')
  }
  expect(lines).toHaveLength(4)
})

test.each([
  [queryFailed(coded('28P01')), /password/],
  [queryFailed(coded('42501')), /GRANT CREATE/],
  [queryFailed(coded('08006')), /connection was cut/],
  [queryFailed(coded('08P01', 'password authentication failed')), /pooler.*pool_mode/],
  [queryFailed(coded('42P01', 'secret')), /^it fails with 42P01$/],
  [new Error('timeout exceeded when trying to connect'), /in time/],
  [new AggregateError([coded('ECONNREFUSED')]), /nothing listens there/],
])('%s is said to the operator in words that quote nothing of it', (error, words) => {
  expect(explainDatabaseError(error)).toMatch(words)
})

const OUTAGES = 'ECONNREFUSED 08006 08P01 25006 25P03 25P04 28P01 3D000 53100 53300 55P03 57014 57P01 57P02 57P03 57P05'
const NETWORK = 'ENOTFOUND ETIMEDOUT EAI_AGAIN EAI_FAIL ENETUNREACH ENETDOWN EHOSTUNREACH EHOSTDOWN'
test.each(`${OUTAGES} ${NETWORK}`.split(' '))('%s is an outage', (code) => {
  expect(isDatabaseFault(coded(code))).toBe(true)
})

test('a wrong query is no outage, a wrong password and any failure of PGlite none to wait for', () => {
  expect(isDatabaseFault(queryFailed(coded('42501', 'closed')))).toBe(false)
  const at = (databaseUrl: string | null, code: string) => mayDatabaseRecover({ databaseUrl }, coded(code))
  expect([at('postgres://x', '57P03'), at('postgres://x', '28P01'), at(null, '57P03')]).toEqual([true, false, false])
})

test('a full or read-only database can still be read', () => {
  expect(['53100', '25006', '08006'].map((code) => isWriteRefused(coded(code)))).toEqual([true, true, false])
})

import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DatabaseUnreachableError } from './errors'
import { createLogger } from './logger'
import { createOutage, databaseTrouble, isDatabaseAway, isDatabaseUnreachable, isFull } from './outage'

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })
const away = () => new DrizzleQueryError('select $1', ['asa@x.test'], coded('ECONNREFUSED', 'connect 10.0.0.7:5432'))

test('however many fail by it, an outage is one line a minute that counts them', () => {
  const time = { ms: 0 }
  const lines: string[] = []
  const outage = createOutage(() => time.ms)
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) }, outage)
  for (let count = 0; count < 100; count += 1) {
    logger.warn({ err: away() }, 'something')
    logger.error({ err: new DatabaseUnreachableError() }, 'refused for it')
  }
  time.ms = 60_000
  logger.warn({ err: away() }, 'something')
  expect(lines.map((line) => JSON.parse(line).failures)).toEqual([1, 100])
  expect(lines[0]).toContain('nothing listens there')
  expect(lines.join('')).not.toMatch(/10\.0\.0\.7|asa@x|stack|"at"/)
})

test('other errors are logged unchanged', () => {
  const lines: string[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) }, createOutage())
  for (let count = 0; count < 2; count += 1) {
    logger.warn({ err: coded('ECONNREFUSED') }, 'something else cannot be reached')
    logger.error({ err: new Error('a mistake of ours') }, 'broken')
    logger.error({ err: new DrizzleQueryError('select', [], coded('23505')) }, 'twice the same')
  }
  expect(lines).toHaveLength(6)
})

describe('in words', () => {
  test.each([
    ['28P01', 'the password is wrong'],
    ['3D000', 'there is no database of this name: create it first, with the encoding UTF8'],
    ['42501', 'the user lacks a right: GRANT CREATE ON DATABASE and ON SCHEMA public, or make it the owner'],
    ['53100', 'its disk is full'],
    ['25006', 'it is read-only: is it a standby, or was it made so?'],
    ['08006', 'the connection broke'],
    ['42P01', 'it fails with 42P01'],
  ])('%s: %s', (code, words) => {
    expect(databaseTrouble(new DrizzleQueryError('select', ['secret'], coded(code, 'secret')))).toBe(words)
  })

  test('what `pg` gives no code, and what Node tries by several addresses', () => {
    expect(databaseTrouble(new Error('timeout exceeded when trying to connect'))).toMatch(/does not answer in time/)
    expect(databaseTrouble(new Error('Query read timeout'))).toBe('a query took too long')
    expect(databaseTrouble(new AggregateError([coded('ECONNREFUSED')]))).toMatch(/nothing listens there/)
    expect(databaseTrouble('?')).toBe('it fails with unknown')
  })

  test('a pooler has one code for all that it refuses', () => {
    const error = new DrizzleQueryError('begin', [], coded('08P01', 'password authentication failed'))
    expect(databaseTrouble(error)).toMatch(/pooler.*pool_mode/)
    expect(isDatabaseUnreachable(error)).toBe(true)
  })

  test('a wrong password is no outage to wait for, and neither is any failure of PGlite', () => {
    const at = (databaseUrl: string | null, code: string) => isDatabaseAway({ databaseUrl }, coded(code))
    expect([at('postgres://x', '57P03'), at('postgres://x', '28P01'), at(null, '57P03')]).toEqual([true, false, false])
  })

  test.each([
    '08006',
    '25P03',
    '25P04',
    '28P01',
    '3D000',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
  ])('%s is an outage', (code) => expect(isDatabaseUnreachable(coded(code))).toBe(true))

  test('what can be read and not written is away for changes', () => {
    for (const code of ['53100', '25006'])
      expect([isDatabaseUnreachable(coded(code)), isFull(coded(code))]).toEqual([true, true])
    expect([isDatabaseUnreachable(coded('42501')), isFull(coded('08006'))]).toEqual([false, false])
  })
})

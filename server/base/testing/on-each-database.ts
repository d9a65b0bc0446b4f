import 'server-only'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openPostgres } from '../database'
import { openPgliteInMemory } from './in-memory'
import { createOwnDatabase, type OwnDatabase } from './own-database'

const quiet = pino({ enabled: false })
const hasPostgres = process.env.TEST_DATABASE_URL !== undefined

/** Tests with a PostgreSQL database of their own. Where there is none they are skipped aloud, and under CI that is a failure. */
export function withPostgres(what: string, tests: (open: () => Promise<OpenDatabase & { url: string }>) => void): void {
  describe.runIf(hasPostgres)(`${what}, on PostgreSQL`, () => {
    let own: OwnDatabase
    beforeAll(async () => void (own = await createOwnDatabase()))
    afterAll(() => own.drop())
    tests(async () => ({ ...(await openPostgres(own.url, quiet)), url: own.url }))
  })
  test.skipIf(hasPostgres)(`${what}: not tested on PostgreSQL, for TEST_DATABASE_URL is not set`, () => {
    expect(process.env['CI'], 'CI must set TEST_DATABASE_URL').not.toBe('true')
  })
}

export function onEachDatabase(what: string, tests: (name: string, open: () => Promise<OpenDatabase>) => void): void {
  describe(`${what}, on PGlite`, () => {
    tests('PGlite', openPgliteInMemory)
  })
  withPostgres(what, (open) => tests('PostgreSQL', open))
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseHandle, openPostgres } from '../database'
import { openPgliteInMemory } from './in-memory'
import { createOwnDatabase, type OwnDatabase } from './own-database'

const hasPostgres = process.env.TEST_DATABASE_URL !== undefined

/** Runs tests on a PostgreSQL database of their own. Without a server they are skipped, and fail under CI. */
export function withPostgres(
  name: string,
  tests: (open: () => Promise<DatabaseHandle & { url: string }>) => void,
): void {
  describe.runIf(hasPostgres)(`${name}, on PostgreSQL`, () => {
    let own: OwnDatabase
    beforeAll(async () => void (own = await createOwnDatabase()))
    afterAll(() => own.drop())
    tests(async () => ({ ...(await openPostgres(own.url)), url: own.url }))
  })
  test.skipIf(hasPostgres)(`${name}: not tested on PostgreSQL, for TEST_DATABASE_URL is not set`, () => {
    expect(process.env['CI'], 'CI must set TEST_DATABASE_URL').not.toBe('true')
  })
}

export function onEachDatabase(name: string, tests: (name: string, open: () => Promise<DatabaseHandle>) => void): void {
  describe(`${name}, on PGlite`, () => {
    tests('PGlite', openPgliteInMemory)
  })
  withPostgres(name, (open) => tests('PostgreSQL', open))
}

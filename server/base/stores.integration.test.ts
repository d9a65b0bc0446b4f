import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFullRun } from '@/lib/testing/every-case'
import { secondFactorsSuite } from '@/server/access/second-factors-suite'
import { sessionsSuite } from '@/server/access/sessions-suite'
import { throttleSuite } from '@/server/access/throttle-suite'
import { openingsSuite } from '@/server/access/openings-suite'
import { repliesSuite } from '@/server/replies/replies-suite'
import { templatesSuite } from '@/server/replies/reply-templates-suite'
import { savedViewsSuite } from '@/server/leads/saved-views-suite'
import { exportLogSuite } from '@/server/export/export-log-suite'
import { knownLeadsSuite } from '@/server/feed/known-leads-suite'
import { renewedIdsSuite } from '@/server/privacy/renewed-ids-suite'
import { retentionSuite } from '@/server/privacy/retention-suite'
import { dataKeySuite } from '@/server/run/database-identity-suite'
import { rightsSuite } from '@/server/privacy/rights-suite'
import { visitsSuite } from '@/server/leads/visits-suite'
import { triageSuite } from '@/server/leads/triage-suite'
import { usersSuite } from '@/server/access/users-suite'
import { temporaryFolder } from '@/server/testing/folder'
import { type OpenDatabase, openPglite, openPostgres } from './database'
import { schemaVersionSuite } from './schema-version-suite'
import { upstreamRequests } from './schema'
import { createOwnDatabase, type OwnDatabase } from './testing/own-database'

const serverUrl = process.env.TEST_DATABASE_URL
const isOnBoth = isFullRun || serverUrl === undefined

describe('on PGlite', () => {
  const folder = temporaryFolder()
  const open = () => openPglite(folder)
  keepsWhatWasWritten(open)
  if (isOnBoth) everySuite(open)
})

test.skipIf(serverUrl !== undefined)('on PostgreSQL too, where one is there', (context) => {
  expect(process.env.CI, 'CI must set TEST_DATABASE_URL').not.toBe('true')
  context.skip('TEST_DATABASE_URL is not set: PostgreSQL is not tested')
})

describe.skipIf(serverUrl === undefined)('on PostgreSQL', () => {
  let own: OwnDatabase
  const open = () => openPostgres(own.url, pino({ enabled: false }))
  beforeAll(async () => {
    own = await createOwnDatabase()
  })
  afterAll(() => own.drop())

  test('instances that start at the same moment migrate one after the other', async () => {
    const opened = await Promise.all([open(), open(), open()])
    await Promise.all(opened.map((database) => database.close()))
    expect(opened).toHaveLength(3)
  })
  keepsWhatWasWritten(open)
  everySuite(open)
})

function everySuite(open: () => Promise<OpenDatabase>): void {
  describe('with one database open', () => {
    let database: OpenDatabase
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())

    describe('people', () => {
      usersSuite(async () => database.db)
      dataKeySuite(async () => database.db)
      schemaVersionSuite(async () => database.db)
    })
    sessionsSuite(async () => database.db)
    secondFactorsSuite(async () => database.db)
    throttleSuite(async () => database.db)
    triageSuite(async () => database.db)
    visitsSuite(async () => database.db)
    repliesSuite(async () => database.db)
    exportLogSuite(async () => database.db)
    templatesSuite(async () => database.db)
    rightsSuite(async () => database.db)
    knownLeadsSuite(async () => database.db)
    retentionSuite(async () => database.db)
    renewedIdsSuite(async () => database.db)
    savedViewsSuite(async () => database.db)
    openingsSuite(async () => database.db)
  })
}

function keepsWhatWasWritten(open: () => Promise<OpenDatabase>): void {
  test('a second start keeps what was written and migrates nothing again', async () => {
    const first = await open()
    await first.db.insert(upstreamRequests).values({ sentAt: 1_790_000_000_123, purpose: 'asked-questions' })
    const applied = await countMigrations(first)
    await first.close()

    const second = await open()
    const rows = await second.db.select().from(upstreamRequests)
    const appliedThen = await countMigrations(second)
    await second.close()

    expect(rows).toMatchObject([{ sentAt: 1_790_000_000_123, finishedAt: null, purpose: 'asked-questions' }])
    expect(applied).toBeGreaterThan(0)
    expect(appliedThen).toBe(applied)
  })
}

async function countMigrations({ db }: OpenDatabase): Promise<number> {
  return db.$count(sql`drizzle.__drizzle_migrations`)
}

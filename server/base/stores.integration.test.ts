import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFullRun } from '@/lib/testing/every-case'
import { openingsSuite } from '@/server/access/lead-openings-suite'
import { secondFactorsSuite } from '@/server/access/second-factors-suite'
import { sessionsSuite } from '@/server/access/sessions-suite'
import { throttleSuite } from '@/server/access/throttle-suite'
import { usersSuite } from '@/server/access/users-suite'
import { exportLogSuite } from '@/server/export/export-log-suite'
import { knownLeadsSuite } from '@/server/feed/known-leads-suite'
import { triageSuite } from '@/server/leads/triage-suite'
import { visitsSuite } from '@/server/leads/visits-suite'
import { retentionSuite } from '@/server/privacy/retention-suite'
import { rightsSuite } from '@/server/privacy/rights-suite'
import { repliesSuite } from '@/server/replies/replies-suite'
import { templatesSuite } from '@/server/replies/reply-templates-suite'
import { databaseIdentitySuite } from '@/server/run/database-identity-suite'
import { temporaryFolder } from '@/server/testing/folder'
import { type DatabaseHandle, openPglite } from './database'
import { upstreamRequests } from './schema'
import { schemaVersionSuite } from './schema-version-suite'
import { withPostgres } from './testing/on-each-database'

const SUITES = [
  usersSuite,
  databaseIdentitySuite,
  schemaVersionSuite,
  sessionsSuite,
  secondFactorsSuite,
  throttleSuite,
  triageSuite,
  visitsSuite,
  repliesSuite,
  exportLogSuite,
  templatesSuite,
  rightsSuite,
  knownLeadsSuite,
  retentionSuite,
  openingsSuite,
]
const isOnBoth = isFullRun || process.env.TEST_DATABASE_URL === undefined

describe('the stores, on PGlite', () => {
  const folder = temporaryFolder()
  const open = () => openPglite(folder)
  keepsWhatWasWritten(open)
  if (isOnBoth) everySuite(open)
})

withPostgres('the stores', (open) => {
  test('instances that start at the same moment migrate one after the other', async () => {
    const opened = await Promise.all([open(), open(), open()])
    await Promise.all(opened.map((database) => database.close()))
    expect(opened).toHaveLength(3)
  })
  keepsWhatWasWritten(open)
  everySuite(open)
})

function everySuite(open: () => Promise<DatabaseHandle>): void {
  describe('with one database open', () => {
    let database: DatabaseHandle
    beforeAll(async () => void (database = await open()))
    afterAll(() => database.close())
    describe.each(SUITES)('%o', (suite) => {
      suite(async () => database.db)
    })
  })
}

function keepsWhatWasWritten(open: () => Promise<DatabaseHandle>): void {
  test('a second start keeps what was written and migrates nothing again', async () => {
    const countMigrations = ({ db }: DatabaseHandle) => db.$count(sql`drizzle.__drizzle_migrations`)
    const first = await open()
    await first.db.insert(upstreamRequests).values({ sentAt: 1_790_000_000_123, purpose: 'asked-questions' })
    const applied = await countMigrations(first)
    await first.close()

    const second = await open()
    const rows = await second.db.select().from(upstreamRequests)
    expect(rows).toMatchObject([{ sentAt: 1_790_000_000_123, finishedAt: null, purpose: 'asked-questions' }])
    expect(await countMigrations(second)).toBe(applied)
    await second.close()
  })
}

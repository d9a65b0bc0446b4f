import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFullRun } from '@/lib/testing/full-run'
import { identitiesSuite } from '@/server/access/identities-suite'
import { secondFactorsSuite } from '@/server/access/second-factors-suite'
import { sessionsSuite } from '@/server/access/sessions-suite'
import { knownDevicesSuite } from '@/server/access/known-devices-suite'
import { throttleSuite } from '@/server/access/throttle-suite'
import { readingSuite } from '@/server/activity/reading-suite'
import { sealsSuite } from '@/server/activity/seals-suite'
import { digestSuite } from '@/server/desk/digest-suite'
import { repliesSuite } from '@/server/desk/replies-suite'
import { templatesSuite } from '@/server/desk/reply-templates-suite'
import { savedViewsSuite } from '@/server/desk/saved-views-suite'
import { exportLogSuite } from '@/server/export/export-log-suite'
import { jobsSuite } from '@/server/jobs/jobs-suite'
import { retentionSuite } from '@/server/retention/retention-suite'
import { dataKeySuite } from '@/server/settings/data-key-suite'
import { databaseModeSuite } from '@/server/settings/database-mode-suite'
import { rightsSuite } from '@/server/rights/rights-suite'
import { visitsSuite } from '@/server/settings/visits-suite'
import { triageSuite } from '@/server/triage/triage-suite'
import { usersSuite } from '@/server/users/users-suite'
import { type OpenDatabase, openPglite, openPostgres } from './database'
import { schemaVersionSuite } from './schema-version-suite'
import { resealSuite } from './reseal-suite'
import { upstreamRequests } from './schema'

const serverUrl = process.env.TEST_DATABASE_URL
/** What the suites ask is the same of both; outside the full run one of them answers. */
const isOnBoth = isFullRun || serverUrl === undefined

describe('on PGlite', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'intag-pglite-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const open = () => openPglite(folder)
  keepsWhatWasWritten(open)
  if (isOnBoth) everySuite(open)
})

test.skipIf(serverUrl !== undefined)('on PostgreSQL too, where one is there', (context) => {
  expect(process.env.CI, 'CI must set TEST_DATABASE_URL').not.toBe('true')
  context.skip('TEST_DATABASE_URL is not set: PostgreSQL is not tested')
})

describe.skipIf(serverUrl === undefined)('on PostgreSQL', () => {
  const name = `intag_test_${randomBytes(6).toString('hex')}`
  const server = serverUrl ?? 'postgres://unset'
  const own = new URL(server)
  own.pathname = `/${name}`
  const open = () => openPostgres(own.href, pino({ enabled: false }))
  beforeAll(() => onServer(server, `create database ${name}`))
  afterAll(() => onServer(server, `drop database ${name} with (force)`))

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

    // In a group of its own, for it deletes everybody before each test.
    describe('people', () => {
      usersSuite(async () => database.db)
      databaseModeSuite(async () => database.db)
      dataKeySuite(async () => database.db)
      schemaVersionSuite(async () => database.db)
    })
    sessionsSuite(async () => database.db)
    identitiesSuite(async () => database.db)
    secondFactorsSuite(async () => database.db)
    throttleSuite(async () => database.db)
    knownDevicesSuite(async () => database.db)
    triageSuite(async () => database.db)
    jobsSuite(async () => database.db)
    visitsSuite(async () => database.db)
    digestSuite(async () => database.db)
    repliesSuite(async () => database.db)
    exportLogSuite(async () => database.db)
    templatesSuite(async () => database.db)
    rightsSuite(async () => database.db)
    retentionSuite(async () => database.db)
    resealSuite(async () => database.db)
    savedViewsSuite(async () => database.db)
    readingSuite(async () => database.db)
    sealsSuite(async () => database.db)
  })
}

/** `open` opens the same database each time. */
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

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

import 'server-only'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle as onPglite } from 'drizzle-orm/pglite'
import { connectPostgres, createPglite, type Db } from '@/server/db/database'
import { FolderInUseError, lockFolder } from '@/server/db/data-folder'
import { migrationOf } from '@/server/db/migrations'
import { databaseTrouble } from '@/server/db/trouble'
import { type Env, SettingsError } from '@/server/env'
import { createSeal } from '@/server/seal'
import { refuseOtherDatabase, requireDatabase } from '@/server/settings/database-identity'
import { requireGoodPassword } from '@/server/users/first-users'
import { createUsers, type Users } from '@/server/users/users'
import { type Check, clockCheck, reasonOf, look, ok, wrong } from './checks'
import { inBytes } from './command'
import { type DatabaseFacts, databaseFacts, factsOf, type RunningFacts } from './running'
import { NobodyAnswersError } from './socket'
import * as schema from '@/server/db/schema'

export type DatabaseSeen = {
  checks: Check[]
  /** To count a request with; null when the database cannot be used, has no tables yet, or Intag has it open. */
  db: Db | null
  isNew: boolean
  running: RunningFacts | null
  close: () => Promise<void>
}

export function lookAtDatabase(env: Env): Promise<DatabaseSeen> {
  return env.databaseUrl === null ? lookAtPglite(env) : lookAtPostgres(env, env.databaseUrl)
}

const nothing = { db: null, isNew: false, running: null, close: async () => {} }

async function lookAtPostgres(env: Env, url: string): Promise<DatabaseSeen> {
  const { db, close } = connectPostgres(url, { warn: () => {} })
  try {
    return { ...nothing, ...(await readDatabase('PostgreSQL', db, env)), close }
  } catch (error) {
    await close()
    const todo = 'Mend DATABASE_URL, or the server that it names.'
    return { ...nothing, checks: [wrong('database', `PostgreSQL cannot be used: ${databaseTrouble(error)}`, todo)] }
  }
}

async function lookAtPglite(env: Env): Promise<DatabaseSeen> {
  const { dataDir } = env
  const folder = join(dataDir, 'pg')
  if (!existsSync(folder)) {
    const checks = [ok('database', 'PGlite; the first start makes it'), ...(await refusedWhenNew(env))]
    return { ...nothing, checks, isNew: true }
  }
  let unlock: () => Promise<void>
  try {
    unlock = await lockFolder(join(dataDir, 'folder.lock'))
  } catch (error) {
    return error instanceof FolderInUseError
      ? askRunningInstance(env)
      : { ...nothing, checks: [wrong('database', `DATA_DIR cannot be used (${reasonOf(error)})`, OWNER)] }
  }
  try {
    const client = await createPglite({ dataDir: folder })
    const db = onPglite(client, { schema })
    const close = () => client.close().then(unlock)
    return { ...nothing, ...(await readDatabase('PGlite', db, env)), close }
  } catch (error) {
    await unlock()
    return { ...nothing, checks: [wrong('database', `PGlite does not open (${reasonOf(error)})`, 'Restore a backup.')] }
  }
}

const OWNER = 'DATA_DIR must belong to the user that Intag runs as.'

/** The facts, and whether the next start would refuse this database; missing tables are not asked. */
async function readDatabase(kind: string, db: Db, env: Env): Promise<Pick<DatabaseSeen, 'checks' | 'db' | 'isNew'>> {
  // In a transaction, as every change is: not every pooler lets one begin.
  const facts = await db.transaction((tx) => databaseFacts(tx, Date.now))
  if ((await migrationOf(db)) === null)
    return { checks: [...factChecks(kind, facts), ...(await refusedWhenNew(env))], db: null, isNew: true }
  const dataKeys = keysIn(env)
  const parts = { connect: async () => db, env, dataKeys, seal: createSeal(dataKeys), now: Date.now }
  const users = createUsers({ ...parts, demo: env.mode === 'demo' })
  const refused = await refusedBy(async () => {
    await requireDatabase(parts)
    await requireFirstAdmin(env, users)
  }).catch((error: unknown) => {
    if (facts.missing > 0) return []
    throw error
  })
  return { checks: [...factChecks(kind, facts), ...refused], db, isNew: false }
}

const keysIn = ({ dataKey, previousDataKey }: Env) => ({ current: dataKey, previous: previousDataKey })

const refusedWhenNew = (env: Env) => refusedBy(() => requireFirstAdmin(env, { anyReal: async () => false }))

async function requireFirstAdmin(env: Env, users: Pick<Users, 'anyReal'>): Promise<void> {
  if (env.bootstrapAdmin !== null && !(await users.anyReal())) await requireGoodPassword(env.bootstrapAdmin, env)
}

async function refusedBy(start: () => Promise<void> | void): Promise<Check[]> {
  try {
    await start()
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems.map((problem) => wrong('settings', problem, 'Intag does not start with these settings.'))
  }
}

async function askRunningInstance(env: Env): Promise<DatabaseSeen> {
  try {
    const running = await factsOf(env.dataDir)
    const checks = factChecks('PGlite', running.database, `, open in Intag (process ${running.pid}), which was asked`)
    const refused = await refusedBy(() => refuseOtherDatabase(running, { env, dataKeys: keysIn(env) }))
    return { ...nothing, checks: [...checks, ...refused], running }
  } catch (error) {
    const says =
      error instanceof NobodyAnswersError
        ? 'PGlite is open in another process, which does not answer'
        : `Intag answers, but its database does not (${reasonOf(error)})`
    return { ...nothing, checks: [look('database', says, 'Ask again when Intag is up, or stop it.')] }
  }
}

const SLOW_MS = 20
const GRANT = 'grant create on schema public and on the database to its user.'

function factChecks(kind: string, facts: DatabaseFacts, where = ''): Check[] {
  const { version, bytes, aheadMs, latencyMs, mayCreate, missing } = facts
  const latency = `${latencyMs} ms for a question`
  return [
    ok('database', `${kind} ${version}, ${inBytes(bytes)}${where}`),
    latencyMs > SLOW_MS
      ? look('database, way there', latency, 'Every screen asks some: put Intag and the database close together.')
      : ok('database, way there', latency),
    mayCreate ? ok('database, rights', 'may make tables') : wrong('database, rights', 'may not make tables', GRANT),
    migrationCheck(missing),
    clockCheck('the database', aheadMs),
  ]
}

function migrationCheck(missing: number): Check {
  const what = 'database, tables'
  if (missing < 0)
    return wrong(what, 'a newer release has been here', 'Start that release, or restore the backup from before it.')
  return missing === 0
    ? ok(what, 'as this release knows them')
    : look(what, `${missing} changes to come`, 'The next start makes them: make a backup first.')
}

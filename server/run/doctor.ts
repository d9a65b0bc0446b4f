import 'server-only'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { drizzle as onPglite } from 'drizzle-orm/pglite'
import { Redis } from 'ioredis'
import type { SchoolScope } from '@/lib/contract/user'
import type { AccessMap } from '@/server/base/access-map'
import { readMetadata, SignOnError } from '@/server/access/provider-check'
import { connectPostgres, createPglite, type Db } from '@/server/base/database'
import { FolderLockError, lockFolder } from '@/server/base/data-folder'
import { migrationOf, missingMigrations, newestMigration } from '@/server/base/migrations'
import * as schema from '@/server/base/schema'
import { databaseTrouble } from '@/server/base/trouble'
import { createMailer } from '@/server/base/mailer'
import { type Env, env, SettingsError } from '@/server/base/env'
import { causesOf, codeOf } from '@/server/base/errors'
import { readHighSchoolList } from '@/server/feed/list-source'
import { createSeal } from '@/server/base/seal'
import type { Services } from '@/server/base/services'
import { startedServices } from './services'
import { requireDatabase } from './database-identity'
import { type Budget, createBudget } from '@/server/feed/budget'
import * as stores from '@/server/feed/budget-store'
import { createUpstreamClient } from '@/server/feed/client'
import type { FailedFetch } from '@/server/feed/exchange'
import { createHttpTransport, type Transport } from '@/server/base/transport'
import { requireGoodPassword } from '@/server/access/first-users'
import { createUsers, type Users } from '@/server/access/users'
import { type AdminCommand, argumentsOf, FoundWrong } from './command'

/** What was found, and what to do unless it is ok. Holds no secret, and no address with one. */
type Check = { what: string; state: 'ok' | 'look' | 'wrong'; says: string; todo?: string }

const finding =
  (state: Check['state']) =>
  (what: string, says: string, todo: string): Check => ({ what, state, says, todo })
const look = finding('look')
const wrong = finding('wrong')
const ok = (what: string, says: string): Check => ({ what, state: 'ok', says })

function reasonOf(error: unknown): string {
  const all = causesOf(error).flatMap((one) => [one, ...(one instanceof AggregateError ? one.errors : [])])
  const code = all.map(codeOf).find((one) => /^\w{1,50}$/.test(one))
  return code ?? (error instanceof Error ? error.name : 'unknown reason')
}

export const doctor: AdminCommand = {
  usage: 'doctor [--json] [--no-service]',
  says: 'checks settings, database, Redis, single sign-on, mail and service; Intag may run',
  more: 'It sends at most one request to the service, counted like all others once there is a database; --no-service: none.',
  run: async (args) => {
    const { values } = argumentsOf(args, 0, { json: { type: 'boolean' }, 'no-service': { type: 'boolean' } })
    const checks = await lookAtAll(env, values['no-service'] !== true)
    const text = values.json === true ? JSON.stringify(checks, null, 2) : report(checks)
    if (checks.some(({ state }) => state === 'wrong')) throw new FoundWrong(text)
    return text
  },
}

/**
 * With settings that are not a process's yet, too. Wrong ones are all that it says then. `FolderInUseError` where another
 * process has PGlite open.
 */
export async function lookAtAll(load: () => Env, isServiceAsked: boolean): Promise<Check[]> {
  let settings: Env
  try {
    settings = load()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems.map((problem) =>
      wrong('settings', problem, 'Intag does not start: docs/settings.md says what each means.'),
    )
  }
  // The Intag that runs, when it was asked to run the command.
  const running = load === env && !startedServices().lifecycle.isComing() ? startedServices() : null
  const database = await lookAtDatabase(settings, running)
  const [redis, provider, mail] = await Promise.all([
    lookAtRedis(settings),
    lookAtProvider(settings),
    lookAtMail(settings),
  ])
  try {
    const service = await lookAtService(settings, { ...database, redis: redis.redis, running }, isServiceAsked)
    const doubts = settings.doubts.map((doubt) => look('settings', doubt, 'Let pass on this machine alone.'))
    const found = ok('settings', settings.mode === 'demo' ? 'of the demo' : 'can be started with')
    return [found, ...doubts, ...database.checks, ...redis.checks, ...provider, ...mail, ...service]
  } finally {
    redis.redis?.disconnect()
    await database.close()
  }
}

export function report(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ what }) => what.length))
  const lines = checks.flatMap(({ what, state, says, todo }) => [
    `${state.padEnd(5)}  ${what.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(width + 9)}${todo}`]),
  ])
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  return [...lines, '', `${count('ok')} in order, ${count('look')} to look at, ${count('wrong')} wrong.`].join('\n')
}

type AskingBudget = Pick<Budget, 'reserve' | 'backOff' | 'sync'>

type DatabaseSeen = {
  checks: Check[]
  /** To count a request with; null when the database cannot be used, or has no tables yet. */
  db: Db | null
  isNew: boolean
  close: () => Promise<void>
}

const NONE = { db: null, isNew: false, close: async () => {} }

export async function lookAtDatabase(
  settings: Env,
  running: Pick<Services, 'connect'> | null = null,
): Promise<DatabaseSeen> {
  const { databaseUrl: url, dataDir } = settings
  if (running) return { ...(await readDatabase('The database', await running.connect(), settings)), close: NONE.close }
  if (url !== null) {
    const { db, close } = connectPostgres(url, { warn: () => {} })
    return closedUnless(readDatabase('PostgreSQL', db, settings), close, (error) => [
      wrong('database', `PostgreSQL cannot be used: ${databaseTrouble(error)}`, 'Mend DATABASE_URL, or its server.'),
    ])
  }
  const folder = join(dataDir, 'pg')
  if (!existsSync(folder)) {
    const checks = [ok('database', 'PGlite; the first start makes it'), ...(await refusedWhenNew(settings))]
    return { ...NONE, checks, isNew: true }
  }
  const unlock = await lockFolder(join(dataDir, 'folder.lock')).catch((error: unknown) => {
    if (error instanceof FolderLockError) throw error
    return null
  })
  if (unlock === null) {
    const todo = 'DATA_DIR must belong to the user that Intag runs as.'
    return { ...NONE, checks: [wrong('database', 'DATA_DIR cannot be used', todo)] }
  }
  let close = unlock
  const opened = createPglite({ dataDir: folder }).then((client) => {
    close = () => client.close().then(unlock)
    return readDatabase('PGlite', onPglite(client, { schema }), settings)
  })
  return closedUnless(
    opened,
    () => close(),
    (error) => [wrong('database', `PGlite does not open (${reasonOf(error)})`, 'Restore a backup.')],
  )
}

type Found = Omit<DatabaseSeen, 'close'>

async function closedUnless(
  reading: Promise<Found>,
  close: () => Promise<void>,
  failed: (error: unknown) => Check[],
): Promise<DatabaseSeen> {
  try {
    return { ...(await reading), close }
  } catch (error) {
    await close()
    return { ...NONE, checks: failed(error) }
  }
}

/** Whether the next start would refuse this database; tables that are missing are not asked. */
async function readDatabase(kind: string, db: Db, settings: Env): Promise<Found> {
  // In a transaction, as every change is: not every pooler lets one begin.
  const last = await db.transaction((tx) => migrationOf(tx))
  const answers = ok('database', `${kind} answers`)
  if (last === null) return { checks: [answers, ...(await refusedWhenNew(settings))], db: null, isNew: true }
  const dataKeys = { current: settings.dataKey, previous: settings.previousDataKey }
  const parts = { connect: async () => db, env: settings, dataKeys, seal: createSeal(dataKeys), now: Date.now }
  const users = createUsers({ ...parts, demo: settings.mode === 'demo' })
  const missing = missingMigrations(last)
  const problems = await refusedBy(async () => {
    await requireDatabase(parts)
    await requireFirstAdmin(settings, users)
  }).catch((error: unknown) => {
    if (missing > 0) return []
    throw error
  })
  return { checks: [answers, migrationCheck(last, missing), ...problems], db, isNew: false }
}

function migrationCheck(last: number, missing: number): Check {
  const what = 'database, tables'
  if (last > newestMigration())
    return wrong(what, 'a newer release has been here', 'Start that release, or restore the backup from before it.')
  return missing === 0
    ? ok(what, 'as this release knows them')
    : look(what, `${missing} changes to come`, 'The next start makes them: make a backup first.')
}

const refusedWhenNew = (settings: Env) => refusedBy(() => requireFirstAdmin(settings, { anyReal: async () => false }))

async function requireFirstAdmin(settings: Env, users: Pick<Users, 'anyReal'>): Promise<void> {
  const { bootstrapAdmin } = settings
  if (bootstrapAdmin !== null && !(await users.anyReal())) await requireGoodPassword(bootstrapAdmin, settings)
}

async function refusedBy(start: () => Promise<void>): Promise<Check[]> {
  try {
    await start()
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems.map((problem) => wrong('settings', problem, 'Intag does not start with these settings.'))
  }
}

async function lookAtRedis({ redisUrl }: Env): Promise<{ checks: Check[]; redis: Redis | null }> {
  if (redisUrl === null) return { checks: [], redis: null }
  const timeouts = { connectTimeout: 3_000, commandTimeout: 5_000 }
  const redis = new Redis(redisUrl, { ...timeouts, lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return { checks: [ok('Redis', 'answers')], redis }
  } catch (error) {
    redis.disconnect()
    const todo = 'Is it running, and are host, password and TLS in REDIS_URL right? Without it nothing is fetched.'
    return { checks: [wrong('Redis', `cannot be used (${reasonOf(error)})`, todo)], redis: null }
  }
}

async function lookAtProvider({ oidc }: Env): Promise<Check[]> {
  if (oidc === null) return []
  try {
    await readMetadata(createHttpTransport(), oidc.issuer)
    return [ok('single sign-on', `${oidc.name} answers, its keys can be read, and it is the issuer`)]
  } catch (error) {
    return [wrong('single sign-on', error instanceof SignOnError ? error.message : reasonOf(error), 'See OIDC_ISSUER.')]
  }
}

async function lookAtMail({ mail }: Env): Promise<Check[]> {
  if (mail === null) return []
  const mailer = createMailer({ settings: mail })
  const { server, from } = mailer.report()
  const found = await mailer.check()
  if (found.outcome === 'sent') return [ok('mail', `${server} answers and lets us in; from ${from} (nothing was sent)`)]
  const todo = found.detail.startsWith('ETLS') ? NO_TLS : 'See SMTP_URL, and docs/connect.md.'
  return [wrong('mail', `${server}: ${found.outcome} (${found.detail})`, todo)]
}

const NO_TLS =
  'No TLS, or its certificate has expired, is for another host, or of an authority to name in NODE_EXTRA_CA_CERTS.'

type Counting = Found & { redis: Redis | null; running: Pick<Services, 'budget'> | null }

/** At most one request, counted like every other. */
async function lookAtService(settings: Env, counting: Counting, isAsked: boolean): Promise<Check[]> {
  const { upstream, oidc } = settings
  if (upstream === null) return [ok('service', 'the demo’s own, in this process')]
  if (!isAsked) return [ok('service', 'not asked (--no-service)')]
  const budget = counting.running?.budget ?? budgetOf(settings, counting)
  if (budget === null)
    return [look('service', 'not asked: the request could not be counted', 'Mend what is wrong above, and ask again.')]
  return askOnce({ ...upstream, budget, transport: createHttpTransport(), schools: oidc?.schoolMap ?? [] })
}

const CLOCK = { now: Date.now, monotonic: () => performance.now() }

function budgetOf(settings: Env, { db, isNew, redis }: Counting): AskingBudget | null {
  const { redisUrl, databaseUrl, limits } = settings
  if (redisUrl !== null && redis === null) return null
  const live = redis && stores.createRedisBudgetStore(redis)
  const record = db && stores.createDatabaseBudgetStore(async () => db, { isAlone: databaseUrl === null })
  const both = live && record && stores.createRecordedBudgetStore({ live, record, logger: { warn: () => {} } })
  const store = both ?? (isNew ? live : redis === null ? record : null)
  if (store !== null) return createBudget({ limits, clock: CLOCK, store })
  // Nothing of Intag's has asked the service before the first start.
  if (!isNew) return null
  const reserve: AskingBudget['reserve'] = async () => ({ ok: true, finish: async () => {} })
  return { reserve, backOff: async () => {}, sync: async () => {} }
}

type Asking = NonNullable<Env['upstream']> & {
  budget: AskingBudget
  transport: Transport
  /** Whose ids must be among those of the service. */
  schools: AccessMap<SchoolScope>
}

export async function askOnce({ url, token, budget, transport, schools }: Asking): Promise<Check[]> {
  const client = createUpstreamClient({ baseUrl: url, token, transport, budget, clock: CLOCK })
  const answer = await client.fetchList('high-schools')
  await budget.sync()
  if (!answer.ok) return [FAILURES[answer.kind]('detail' in answer ? answer.detail : '')]
  const reading = await readHighSchoolList(answer.notModified ? new Uint8Array() : answer.body, null)
  if (!reading.ok) return [unexpected(reading.detail)]
  const known = reading.content.highSchools
  return [
    ok('service', `answers (one request, GET /external/highSchools), with ${named(known)}`),
    ...unknownSchools(schools, known),
  ]
}

const MAX_NAMED = 10

type School = { id: string; name: string }

function named(schools: readonly School[]): string {
  const more = schools.length > MAX_NAMED ? ` and ${schools.length - MAX_NAMED} more` : ''
  return schools.length === 0 ? 'no schools' : `the schools ${idsOf(schools.slice(0, MAX_NAMED))}${more}`
}

/** As maps of single sign-on need them. */
function idsOf(schools: readonly School[]): string {
  return schools.map(({ id, name }) => `${name} (${id})`.replaceAll(/\p{Cc}/gu, ' ')).join(', ')
}

function unknownSchools(map: AccessMap<SchoolScope>, known: readonly School[]): Check[] {
  const ids = new Set(known.map(({ id }) => id))
  const todo = `In brackets stands what it is to name: ${idsOf(known)}.`
  return map.flatMap(({ grants }, index) => {
    if (grants === 'all' || grants.every((id) => ids.has(id))) return []
    return [wrong('OIDC_SCHOOL_MAP', `entry ${index + 1} names a school that the service does not have`, todo)]
  })
}

const SPENT = 'not asked: the hour’s or second’s requests are spent, or could not be counted'
const LIMITED = 'Does something else use this token, or are LEADS_API_PER_SECOND and LEADS_API_PER_HOUR too high?'
const UNREACHED = 'Can this machine reach LEADS_API_URL (name, firewall, proxy, certificate)?'

const refused = (detail: string): Check =>
  wrong('service', `refuses the token (${detail})`, 'Is LEADS_API_TOKEN right, and still good?')

const FAILURES: Record<FailedFetch['kind'], (detail: string) => Check> = {
  'no-budget': () => look('service', SPENT, 'Ask again later.'),
  unauthenticated: refused,
  unauthorized: refused,
  'rate-limited': () => wrong('service', 'says that the limit is reached', LIMITED),
  'not-found': unexpected,
  unreadable: unexpected,
  unavailable: (detail) => wrong('service', detail, UNREACHED),
}

function unexpected(detail: string): Check {
  return wrong('service', `does not answer as it should (${detail})`, 'Is LEADS_API_URL right, with its path?')
}

import 'server-only'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { drizzle as onPglite } from 'drizzle-orm/pglite'
import { requireGoodPassword } from '@/server/access/first-users'
import { createUsers } from '@/server/access/users'
import { connectPostgres, createPglite, type Db } from '@/server/base/database'
import { closeAll, FolderInUseError, FolderLockError, lockFolder } from '@/server/base/data-folder'
import { type Env, SettingsError } from '@/server/base/env'
import { areMessagesHeard } from '@/server/base/instance-events'
import { createMailer } from '@/server/base/mailer'
import { migrationOf, missingMigrations, newestMigration } from '@/server/base/migrations'
import * as schema from '@/server/base/schema'
import { createHttpTransport, type Transport } from '@/server/base/transport'
import { databaseTrouble } from '@/server/base/trouble'
import { createBudget } from '@/server/feed/budget'
import { createDatabaseBudgetStore } from '@/server/feed/budget-store'
import { createUpstreamClient, type FailedFetch } from '@/server/feed/client'
import type { BudgetStore } from '@/server/feed/request-log'
import { readHighSchoolList } from '@/server/feed/list-source'
import type { Answer } from './console-socket'
import { requireDatabase } from './database-identity'
import type { Services } from '@/server/base/services'

/**
 * A line each: in order, or what is wrong and what to do; never a secret, nor an address that may hold one. Wrong settings
 * are no line, because no command runs with them.
 */
export async function doctor(own: Services): Promise<Answer> {
  const { env } = own
  const lines: string[] = []
  const look = async (what: string, check: () => Promise<string>) => {
    try {
      lines.push(`ok     ${what.padEnd(9)} ${await check()}`)
    } catch (error) {
      if (error instanceof FolderInUseError) throw error
      lines.push(`wrong  ${what.padEnd(9)} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const opening = openAsItIs(own)
  const service = { date: '' }
  try {
    await look('database', async () => databaseReport(own, (await opening).db))
    await look('service', async () => serviceReport(own, (await opening.catch(() => null))?.db, service))
    await look('clock', async () => clockReport(Date.parse(service.date) - Date.now()))
    const { mail } = env
    if (mail) await look('mail', () => mailReport(mail))
  } finally {
    await opening.then(({ close }) => close()).catch(() => {})
  }
  return { code: lines.some((line) => line.startsWith('wrong')) ? 1 : 0, text: lines.join('\n') }
}

type Opened = { db: Db | null; close: () => Promise<unknown> }

/** Without making or migrating anything; null where the first start makes it. */
async function openAsItIs({ env, lifecycle, connect }: Services): Promise<Opened> {
  if (!lifecycle.isComing()) return { db: await connect(), close: async () => {} }
  if (env.databaseUrl !== null) return connectPostgres(env.databaseUrl, { warn: () => {} })
  const folder = join(env.dataDir, 'pg')
  if (!existsSync(folder)) return { db: null, close: async () => {} }
  const unlock = await lockFolder(join(env.dataDir, 'folder.lock'))
  try {
    const client = await createPglite({ dataDir: folder })
    const close = async () => {
      await client.close()
      closeAll(env.dataDir)
      await unlock()
    }
    return { db: onPglite(client, { schema }), close }
  } catch (error) {
    await unlock()
    throw new Error('PGlite does not open: restore a backup.', { cause: error })
  }
}

export async function databaseReport(own: Services, db: Db | null): Promise<string> {
  try {
    return await requireStartable(own, db)
  } catch (error) {
    if (error instanceof SettingsError) throw new Error(error.problems.join('; '), { cause: error })
    if (error instanceof FolderLockError) throw error
    throw new Error(`cannot be used: ${databaseTrouble(error)}`, { cause: error })
  }
}

/** Throws what a start with this database would. */
async function requireStartable(own: Services, db: Db | null): Promise<string> {
  // In a transaction, as every change is: not every pooler lets one begin.
  const last = db && (await db.transaction((tx) => migrationOf(tx)))
  if (db === null || last === null) {
    if (own.env.bootstrapAdmin !== null) await requireGoodPassword(own.env.bootstrapAdmin, own.env)
    return 'is new: the first start makes it'
  }
  if (last > newestMigration())
    throw new SettingsError(['a newer release has been here: start that one, or restore the backup from before it'])
  const missing = missingMigrations(last)
  if (missing > 0) return `answers; the next start makes ${missing} changes to its tables: make a backup first`
  const parts = { ...own, connect: async () => db }
  await requireDatabase(parts)
  const { bootstrapAdmin, mode } = own.env
  if (bootstrapAdmin !== null && !(await createUsers({ ...parts, demo: mode === 'demo' }).anyReal()))
    await requireGoodPassword(bootstrapAdmin, own.env)
  const { databaseUrl } = own.env
  const isHeard = databaseUrl === null || (await areMessagesHeard(databaseUrl, async () => db))
  return `answers, with the tables of this release${isHeard ? '' : DEAF}`
}

const DEAF =
  '; messages of other instances come a second later, because its pooler keeps LISTEN: point DATABASE_URL past it, or set pool_mode to session'

/** At most one request, counted like every other. */
async function serviceReport(own: Services, db: Db | null | undefined, seen: { date: string }): Promise<string> {
  const { upstream } = own.env
  if (upstream === null) return 'is the demo’s own, in this process'
  if (db === undefined) throw new Error('was not asked, for the request could not be counted')
  const transport: Transport = async (request) => {
    const answer = await createHttpTransport()(request)
    seen.date = answer.headers.get('date') ?? ''
    return answer
  }
  return askService({ ...upstream, budget: await budgetOf(own, db), transport })
}

type Counting = Pick<Services['budget'], 'reserve' | 'backOff' | 'sync'>

async function budgetOf({ env, lifecycle, budget }: Services, db: Db | null): Promise<Counting> {
  if (!lifecycle.isComing()) return budget
  // Nothing of Intag's has asked the service before the first start.
  const none: BudgetStore = { update: async (change) => void change({ requests: [], isAlone: true }) }
  const isNew = db === null || (await migrationOf(db)) === null
  const store = isNew ? none : createDatabaseBudgetStore(async () => db, { isAlone: env.databaseUrl === null })
  return createBudget({ limits: env.limits, clock: CLOCK, store })
}

const CLOCK = { now: Date.now, monotonic: () => performance.now() }

type Asking = NonNullable<Env['upstream']> & { budget: Counting; transport: Transport }

export async function askService({ url, token, budget, transport }: Asking): Promise<string> {
  const client = createUpstreamClient({ baseUrl: url, token, transport, budget, clock: CLOCK })
  const answer = await client.fetchList('high-schools')
  await budget.sync()
  if (!answer.ok) throw new Error(FAILURES[answer.kind]('detail' in answer ? answer.detail : ''))
  const reading = await readHighSchoolList(answer.notModified ? new Uint8Array() : answer.body, null)
  if (!reading.ok) throw new Error(unexpected(reading.detail))
  const schools = reading.content.highSchools
  // Maps of single sign-on name schools by these ids.
  const named = schools.slice(0, MAX_NAMED).map(({ id, name }) => `${name} (${id})`.replaceAll(/\p{Cc}/gu, ' '))
  const more = schools.length > MAX_NAMED ? ` and ${schools.length - MAX_NAMED} more` : ''
  return `answers, with ${schools.length === 0 ? 'no schools' : `the schools ${named.join(', ')}${more}`}`
}

const MAX_NAMED = 10

const refused = (detail: string) => `refuses the token (${detail}): is LEADS_API_TOKEN right, and still good?`
const unexpected = (detail: string) =>
  `does not answer as it should (${detail}): is LEADS_API_URL right, with its path?`

const FAILURES: Record<FailedFetch['kind'], (detail: string) => string> = {
  'no-budget': () => 'was not asked, for the requests of this hour or second are spent or uncounted: ask again later',
  unauthenticated: refused,
  unauthorized: refused,
  'rate-limited': () =>
    'says that the limit is reached: does something else use this token, or are LEADS_API_PER_SECOND and LEADS_API_PER_HOUR too high?',
  'not-found': unexpected,
  unreadable: unexpected,
  unavailable: (detail) => `${detail}: can this machine reach LEADS_API_URL (name, firewall, proxy, certificate)?`,
}

const MAX_AHEAD_MS = 30_000

function clockReport(aheadMs: number): string {
  if (Number.isNaN(aheadMs)) return 'was not compared, for the service named no time'
  if (Math.abs(aheadMs) <= MAX_AHEAD_MS) return 'agrees with the service’s'
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  throw new Error(`is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the service’s: synchronise it (NTP)`)
}

async function mailReport(settings: NonNullable<Env['mail']>): Promise<string> {
  const mailer = createMailer({ settings })
  const { server, from } = mailer.report()
  const found = await mailer.check()
  if (found.outcome === 'sent') return `${server} lets us in, to send from ${from} (nothing was sent)`
  throw new Error(`${server}: ${found.outcome} (${found.detail}): see SMTP_URL, and docs/connect.md`)
}

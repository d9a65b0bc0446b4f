import 'server-only'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireGoodPassword } from '@/server/access/first-users'
import { createUsers } from '@/server/access/users'
import { connectPostgres, type Db, openPglite } from '@/server/base/database'
import { FolderInUseError } from '@/server/base/data-folder'
import { type Env, SettingsError } from '@/server/base/env'
import { areMessagesHeard } from '@/server/base/instance-events'
import { migrationOf, missingMigrations } from '@/server/base/migrations'
import type { Services } from '@/server/base/services'
import { createHttpTransport, type Transport } from '@/server/base/transport'
import { databaseTrouble } from '@/server/base/trouble'
import { createBudget } from '@/server/feed/budget'
import { createDatabaseBudgetStore } from '@/server/feed/budget-store'
import { createUpstreamClient, type FailedFetch } from '@/server/feed/client'
import { readHighSchoolList } from '@/server/feed/list-source'
import type { BudgetStore } from '@/server/feed/request-log'
import type { Answer } from './console-socket'
import { requireDatabase } from './database-identity'

const NEW = 'does not exist yet: the first start creates it'
const MAX_AHEAD_MS = 30_000

/**
 * A line each: in order, or what is wrong and what to do; never a secret, nor an address that may hold one. Wrong settings
 * are no line, because no command runs with them. At most one request is sent to the service, counted like every other.
 */
export async function doctor(own: Services): Promise<Answer> {
  const { env, clock, lifecycle, mailer } = own
  const lines: string[] = []
  const check = async (what: string, find: () => Promise<string>): Promise<string | null> => {
    try {
      const found = await find()
      lines.push(`ok     ${what.padEnd(9)} ${found}`)
      return found
    } catch (error) {
      if (error instanceof FolderInUseError) throw error
      lines.push(`wrong  ${what.padEnd(9)} ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }
  const opening = openAsItIs(own)
  let aheadMs = Number.NaN
  try {
    const database = await check('database', async () => databaseReport(own, (await opening).db))
    await check('service', async () => {
      if (env.upstream === null) return 'is the demo’s own, in this process'
      if (database === null) throw new Error('was not asked, because the request could not be counted')
      const transport: Transport = async (request) => {
        const answer = await createHttpTransport()(request)
        aheadMs = Date.parse(answer.headers.get('date') ?? '') - Date.now()
        return answer
      }
      if (!lifecycle.isComing()) return askService({ ...env.upstream, budget: own.budget, transport })
      const { db } = await opening
      // Nothing of Intag's has asked the service before the first start.
      const none: BudgetStore = { update: async (change) => void change({ requests: [], isAlone: true }) }
      const isAlone = env.databaseUrl === null
      const store = database === NEW || db === null ? none : createDatabaseBudgetStore(async () => db, { isAlone })
      return askService({ ...env.upstream, budget: createBudget({ limits: env.limits, clock, store }), transport })
    })
    await check('clock', async () => {
      if (Number.isNaN(aheadMs)) return 'was not compared, because the service gave no time'
      if (Math.abs(aheadMs) <= MAX_AHEAD_MS) return 'agrees with the service’s'
      const seconds = Math.round(Math.abs(aheadMs) / 1000)
      throw new Error(`is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the service’s: synchronise it (NTP)`)
    })
    if (mailer)
      await check('mail', async () => {
        const { server, from } = mailer.report()
        const { outcome, detail } = await mailer.check()
        if (outcome === 'sent') return `${server} accepts Intag’s account, to send from ${from} (nothing was sent)`
        throw new Error(`${server}: ${outcome} (${detail}): see SMTP_URL, and docs/connect.md`)
      })
  } finally {
    await opening.then(({ close }) => close()).catch(() => {})
  }
  return { code: lines.some((line) => line.startsWith('wrong')) ? 1 : 0, text: lines.join('\n') }
}

/** Without making or migrating anything; null where the first start makes it. */
async function openAsItIs({ env, lifecycle, connect }: Services) {
  const nothing = async () => {}
  if (!lifecycle.isComing()) return { db: await connect(), close: nothing }
  if (env.databaseUrl !== null) return connectPostgres(env.databaseUrl, { warn: () => {} })
  if (!existsSync(join(env.dataDir, 'pg'))) return { db: null, close: nothing }
  return openPglite(env.dataDir, { migrates: false })
}

/** Throws what a start with this database would. */
export async function databaseReport(own: Services, db: Db | null): Promise<string> {
  const { bootstrapAdmin, databaseUrl, mode } = own.env
  try {
    // In a transaction, as every change is: not every pooler lets one begin.
    const last = db && (await db.transaction((tx) => migrationOf(tx)))
    if (db === null || last === null) {
      if (bootstrapAdmin !== null) await requireGoodPassword(bootstrapAdmin, own.env)
      return NEW
    }
    const missing = missingMigrations(last)
    if (missing > 0) return `answers; the next start makes ${missing} changes to its tables: take a backup first`
    const parts = { ...own, connect: async () => db }
    await requireDatabase(parts)
    if (bootstrapAdmin !== null && !(await createUsers({ ...parts, demo: mode === 'demo' }).anyReal()))
      await requireGoodPassword(bootstrapAdmin, own.env)
    const isHeard = databaseUrl === null || (await areMessagesHeard(databaseUrl, async () => db))
    return `answers, with the tables of this release${isHeard ? '' : DEAF}`
  } catch (error) {
    if (error instanceof SettingsError) throw new Error(error.problems.join('; '), { cause: error })
    throw new Error(`cannot be used: ${databaseTrouble(error)}`, { cause: error })
  }
}

const DEAF =
  '; messages from other instances arrive a second late, because its pooler keeps LISTEN: point DATABASE_URL past it, or set pool_mode to session'

const MAX_NAMED = 10

type Asking = NonNullable<Env['upstream']> & {
  budget: Pick<Services['budget'], 'reserve' | 'backOff' | 'sync'>
  transport: Transport
}

export async function askService({ url, token, budget, transport }: Asking): Promise<string> {
  const clock = { now: Date.now, monotonic: () => performance.now() }
  const client = createUpstreamClient({ baseUrl: url, token, transport, budget, clock })
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

const refused = (detail: string) => `refuses the token (${detail}): is LEADS_API_TOKEN right, and still valid?`
const unexpected = (detail: string) =>
  `does not answer as it should (${detail}): is LEADS_API_URL right, with its path?`

const FAILURES: Record<FailedFetch['kind'], (detail: string) => string> = {
  'no-budget': () =>
    'was not asked, because the requests of this hour or second are spent or cannot be counted: try again later',
  unauthenticated: refused,
  unauthorized: refused,
  'rate-limited': () =>
    'says that the limit is reached: does something else use this token, or are LEADS_API_PER_SECOND and LEADS_API_PER_HOUR too high?',
  'not-found': unexpected,
  unreadable: unexpected,
  unavailable: (detail) => `${detail}: can this machine reach LEADS_API_URL (name, firewall, proxy, certificate)?`,
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUseError } from '@/server/base/data-folder'
import { connectPostgres, type Db, openPglite } from '@/server/base/database'
import { explainDatabaseError } from '@/server/base/explain-database-error'
import { type Env, SettingsError } from '@/server/base/env'
import { countMissingMigrations, findLastMigration } from '@/server/base/migrations'
import type { Services } from '@/server/base/services'
import { createHttpTransport, type Transport } from '@/server/base/transport'
import { createBudget } from '@/server/feed/budget'
import { createDatabaseBudgetStore } from '@/server/feed/budget-store'
import { createUpstreamClient, type FailedFetch } from '@/server/feed/client'
import { readHighSchoolList } from '@/server/feed/list-source'
import type { BudgetStore } from '@/server/feed/request-log'
import { verifyDatabaseIdentity } from './database-identity'

const NOT_CREATED = 'does not exist yet: the first start creates it'
const MAX_CLOCK_DIFFERENCE_MS = 30_000

/** Checks what a start needs, one line a check, without secrets. Sends the service one request at most. */
export async function runDoctor(services: Services): Promise<{ exitCode: number; text: string }> {
  const { env, mailer } = services
  const lines: string[] = []
  const addLine = async (name: string, runCheck: () => Promise<string>): Promise<string | null> => {
    try {
      const result = await runCheck()
      lines.push(`ok     ${name.padEnd(9)} ${result}`)
      return result
    } catch (error) {
      if (error instanceof FolderInUseError) throw error
      lines.push(`wrong  ${name.padEnd(9)} ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }
  const opening = openUnchanged(services)
  let serviceAheadMs = Number.NaN
  try {
    const database = await addLine('database', async () => checkDatabase(services, (await opening).db))
    await addLine('service', async () => {
      if (env.upstream === null) return 'is the demo’s own, in this process'
      if (database === null) throw new Error('was not asked, because the request could not be counted')
      const transport: Transport = async (request) => {
        const answer = await createHttpTransport()(request)
        serviceAheadMs = Date.parse(answer.headers.get('date') ?? '') - Date.now()
        return answer
      }
      const budget = openBudget(services, database === NOT_CREATED ? null : (await opening).db)
      return checkService({ ...env.upstream, budget, transport })
    })
    await addLine('clock', async () => {
      if (Number.isNaN(serviceAheadMs)) return 'was not compared, because the service gave no time'
      const differenceMs = Math.abs(serviceAheadMs)
      if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return 'agrees with the service’s'
      const direction = serviceAheadMs > 0 ? 'behind' : 'ahead of'
      throw new Error(`is ${Math.round(differenceMs / 1000)} s ${direction} the service’s: synchronise it (NTP)`)
    })
    if (mailer)
      await addLine('mail', async () => {
        const { server, sender } = mailer.report()
        const { outcome, detail } = await mailer.verify()
        if (outcome === 'sent') return `${server} accepts Intag’s account, to send from ${sender} (nothing was sent)`
        throw new Error(`${server}: ${outcome} (${detail}): see SMTP_URL, and docs/connect.md`)
      })
  } finally {
    await opening.then(({ close }) => close?.()).catch(() => {})
  }
  return { exitCode: lines.some((line) => line.startsWith('wrong')) ? 1 : 0, text: lines.join('\n') }
}

/** Creates and migrates nothing. `db` is null before the first start on PGlite. */
async function openUnchanged(services: Services): Promise<{ db: Db | null; close?: () => Promise<void> }> {
  const { env, lifecycle, connect } = services
  if (!lifecycle.isStarting()) return { db: await connect() }
  if (env.databaseUrl !== null) return connectPostgres(env.databaseUrl)
  return existsSync(join(env.dataDir, 'pg')) ? openPglite(env.dataDir, { migrates: false }) : { db: null }
}

/** Returns a budget that counts requests with those of Intag. Before the first start none has been counted. */
function openBudget({ env, clock, lifecycle, budget }: Services, db: Db | null) {
  if (!lifecycle.isStarting()) return budget
  const emptyStore: BudgetStore = { update: async (change) => void change({ requests: [], nowMs: clock.now() }) }
  const store = db === null ? emptyStore : createDatabaseBudgetStore(async () => db)
  return createBudget({ limits: env.limits, clock, store })
}

/** Rejects with the reason if a start would refuse this database. */
export async function checkDatabase(services: Services, db: Db | null): Promise<string> {
  try {
    // Every change is made in a transaction, which not every pooler lets begin.
    const lastMigration = db && (await db.transaction((tx) => findLastMigration(tx)))
    if (db === null || lastMigration === null) return NOT_CREATED
    const missingCount = countMissingMigrations(lastMigration)
    if (missingCount > 0)
      return `answers; the next start makes ${missingCount} changes to its tables: take a backup first`
    await verifyDatabaseIdentity({ ...services, connect: async () => db })
    return 'answers, with the tables of this release'
  } catch (error) {
    if (error instanceof SettingsError) throw new Error(error.problems.join('; '), { cause: error })
    throw new Error(`cannot be used: ${explainDatabaseError(error)}`, { cause: error })
  }
}

const describeRefusal = (detail: string) => `refuses the token (${detail}): is LEADS_API_TOKEN right, and still valid?`
const describeMismatch = (detail: string) =>
  `does not answer as it should (${detail}): is LEADS_API_URL right, with its path?`

const FAILURES: Record<FailedFetch['kind'], (detail: string) => string> = {
  'no-budget': () =>
    'was not asked, because the requests of this hour or second are spent or cannot be counted: try again later',
  unauthenticated: describeRefusal,
  unauthorized: describeRefusal,
  'rate-limited': () =>
    'says that the limit is reached: does something else use this token, or are LEADS_API_PER_SECOND and LEADS_API_PER_HOUR too high?',
  'not-found': describeMismatch,
  unreadable: describeMismatch,
  unavailable: (detail) => `${detail}: can this machine reach LEADS_API_URL (name, firewall, proxy, certificate)?`,
}

const MAX_NAMED = 10

export async function checkService(
  options: NonNullable<Env['upstream']> & {
    budget: Pick<Services['budget'], 'reserve' | 'backOff' | 'sync'>
    transport: Transport
  },
): Promise<string> {
  const { url, token, budget, transport } = options
  const clock = { now: Date.now, monotonic: () => performance.now() }
  const client = createUpstreamClient({ baseUrl: url, token, transport, budget, clock })
  const answer = await client.fetchList('high-schools')
  await budget.sync()
  if (!answer.ok) throw new Error(FAILURES[answer.kind]('detail' in answer ? answer.detail : ''))
  const reading = await readHighSchoolList(answer.body ?? new Uint8Array(), null)
  if (!reading.ok) throw new Error(describeMismatch(reading.detail))
  const schools = reading.content.highSchools
  // `OIDC_SCHOOL_MAP` names schools by id.
  const names = schools.slice(0, MAX_NAMED).map(({ id, name }) => `${name} (${id})`.replaceAll(/\p{Cc}/gu, ' '))
  const more = schools.length > MAX_NAMED ? ` and ${schools.length - MAX_NAMED} more` : ''
  return `answers, with ${schools.length === 0 ? 'no schools' : `the schools ${names.join(', ')}${more}`}`
}

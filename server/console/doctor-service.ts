import 'server-only'
import { performance } from 'node:perf_hooks'
import { Redis } from 'ioredis'
import type { SchoolScope } from '@/lib/contract/user'
import type { AccessMap } from '@/server/access/oidc-claims'
import { clockAhead, discover } from '@/server/access/provider-check'
import { CAUSE_TEXTS, signOnErrorOf } from '@/server/access/oidc-failure'
import { createMailer } from '@/server/desk/mailer'
import type { Env } from '@/server/env'
import { readHighSchoolList } from '@/server/feed/list-source'
import { type Budget, createBudget } from '@/server/upstream/budget'
import {
  createDatabaseBudgetStore,
  createRecordedBudgetStore,
  createRedisBudgetStore,
} from '@/server/upstream/budget-store'
import type { BudgetStore } from '@/server/upstream/request-log'
import { createUpstreamClient } from '@/server/upstream/client'
import type { FailedFetch } from '@/server/upstream/exchange'
import { createHttpTransport, type Transport } from '@/server/upstream/transport'
import { type Check, clockCheck, reasonOf, look, ok, wrong } from './checks'
import { inBytes } from './command'
import type { DatabaseSeen } from './doctor-database'
import { isPlaceGranted, type RunningFacts } from './running'

export type RedisSeen = { checks: Check[]; redis: Redis | null }

export async function lookAtRedis({ redisUrl }: Env): Promise<RedisSeen> {
  if (redisUrl === null) return { checks: [], redis: null }
  const timeouts = { connectTimeout: 3_000, commandTimeout: 5_000 }
  const redis = new Redis(redisUrl, { ...timeouts, lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    const before = performance.now()
    await redis.ping()
    return { checks: redisChecks(await redis.info(), performance.now() - before), redis }
  } catch (error) {
    redis.disconnect()
    const todo = 'Is it running, and are host, password and TLS in REDIS_URL right? Without it nothing is fetched.'
    return { checks: [wrong('Redis', `cannot be used (${reasonOf(error)})`, todo)], redis: null }
  }
}

export function redisChecks(info: string, latencyMs: number): Check[] {
  const value = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''
  const [most, policy] = [Number(value('maxmemory')), value('maxmemory_policy')]
  const memory = `${inBytes(Number(value('used_memory')))} in use, of ${most > 0 ? `at most ${inBytes(most)}` : 'no limit'}`
  const forgets = 'Set maxmemory-policy noeviction: the count of requests to the service must not be forgotten.'
  const keeps = value('aof_enabled') === '1' || (value('rdb_last_save_time') !== '' && value('rdb_saves') !== '0')
  const append = 'Set appendonly yes, so that requests sent still count.'
  return [
    ok('Redis', `${value('redis_version') || 'of unknown version'}, ${latencyMs.toFixed(1)} ms for a question`),
    most > 0 && policy !== 'noeviction'
      ? wrong('Redis, memory', `${memory}; it forgets by itself (${policy})`, forgets)
      : ok('Redis, memory', memory),
    keeps
      ? ok('Redis, on disk', 'keeps what it has over a restart')
      : look('Redis, on disk', 'keeps nothing over a restart', append),
  ]
}

export async function lookAtProvider({ oidc }: Env): Promise<Check[]> {
  if (oidc === null) return []
  try {
    const parts = { transport: createHttpTransport(), now: Date.now, timeoutMs: 10_000 }
    const { clockAheadMs } = await discover(parts, oidc.issuer)
    const found = ok('single sign-on', `${oidc.name} answers, its keys can be read, and it is the issuer`)
    return clockAheadMs === null ? [found] : [found, clockCheck('single sign-on', clockAheadMs)]
  } catch (error) {
    const { cause, detail } = signOnErrorOf(error)
    return [wrong('single sign-on', `${CAUSE_TEXTS[cause]}${detail === '' ? '' : ` (${detail})`}`, 'See OIDC_ISSUER.')]
  }
}

export async function lookAtMail({ mail }: Env): Promise<Check[]> {
  if (mail === null) return []
  const mailer = createMailer({ settings: mail, now: Date.now })
  const { server, from } = mailer.report()
  const found = await mailer.check()
  if (found.ok) return [ok('mail', `${server} answers and lets us in; from ${from} (nothing was sent)`)]
  const todo = found.detail.startsWith('ETLS') ? MAIL_TLS : 'See SMTP_URL, and docs/connect.md.'
  return [wrong('mail', `${server}: ${found.kind} (${found.detail})`, todo)]
}

const MAIL_TLS =
  'It has no TLS, or its certificate has expired, is for another host, or is of an authority to be named in NODE_EXTRA_CA_CERTS.'

type Seen = { database: DatabaseSeen; redis: Redis | null; isAsked: boolean }

/** At most one request, counted like every other. */
export async function lookAtService(env: Env, { database, redis, isAsked }: Seen): Promise<Check[]> {
  const what = 'service'
  if (env.upstream === null) return [ok(what, 'the demo’s own, in this process')]
  const heard = database.running === null ? [] : [runningCheck(database.running)]
  if (!isAsked) return [ok(what, 'not asked (--no-service)'), ...heard]
  const budget = budgetOf(env, { database, redis })
  if (budget === null)
    return [look(what, 'not asked: the request could not be counted', 'Mend what is wrong above, and ask again.')]
  const transport = createHttpTransport()
  const schools = env.oidc?.schoolMap ?? []
  return [...(await askOnce({ ...env.upstream, budget, transport, schools })), ...heard]
}

type AskingBudget = Pick<Budget, 'reserve' | 'backOff' | 'sync'>

const CLOCK = { now: Date.now, monotonic: () => performance.now() }

function budgetOf(env: Env, { database, redis }: Omit<Seen, 'isAsked'>): AskingBudget | null {
  const fromRunning = () => isPlaceGranted(env.dataDir).catch(() => false)
  if (database.running !== null) return budgetFrom(fromRunning)
  if (database.isNew && env.redisUrl === null) return budgetFrom(async () => true)
  const store = storeOf(env, { database, redis })
  return store && createBudget({ limits: env.limits, clock: CLOCK, store })
}

function budgetFrom(grant: () => Promise<boolean>): AskingBudget {
  return {
    reserve: async () =>
      (await grant()) ? { ok: true, finish: async () => {} } : { ok: false, retryAtMs: Date.now() },
    backOff: async () => {},
    sync: async () => {},
  }
}

function storeOf({ redisUrl, databaseUrl }: Env, { database, redis }: Omit<Seen, 'isAsked'>): BudgetStore | null {
  const { db, isNew } = database
  if (isNew) return redis && createRedisBudgetStore(redis)
  const record = db && createDatabaseBudgetStore(async () => db, { isAlone: databaseUrl === null })
  if (redisUrl === null || record === null) return record
  return redis && createRecordedBudgetStore({ live: createRedisBudgetStore(redis), record, logger: { warn: () => {} } })
}

function runningCheck({ lists }: RunningFacts): Check {
  const what = 'service, as Intag has it'
  const failing = lists.filter(({ fetchedAt, problem }) => fetchedAt === null || problem !== null)
  const says = failing.map(({ name, problem }) => `${name}: ${problem ?? 'no answer yet'}`).join(', ')
  if (failing.length > 0) return look(what, says, 'See /admin/status.')
  return ok(
    what,
    `answered last at ${lists
      .map(({ fetchedAt }) => fetchedAt)
      .toSorted()
      .at(-1)}`,
  )
}

type Asking = NonNullable<Env['upstream']> & {
  budget: AskingBudget
  transport: Transport
  /** Whose ids must be among those of the service. */
  schools: AccessMap<SchoolScope>
}

export async function askOnce({ url, token, budget, transport, schools }: Asking): Promise<Check[]> {
  const heard: { date: string | null } = { date: null }
  const listening: Transport = async (request) => {
    const response = await transport(request)
    heard.date = response.headers.get('date')
    return response
  }
  const client = createUpstreamClient({ baseUrl: url, token, transport: listening, budget, clock: CLOCK })
  const answer = await client.fetchList('high-schools')
  const receivedAt = Date.now()
  await budget.sync()
  const aheadMs = clockAhead(heard.date, receivedAt)
  const clocks = aheadMs === null ? [] : [clockCheck('the service', aheadMs)]
  if (!answer.ok) return [FAILURES[answer.kind]('detail' in answer ? answer.detail : ''), ...clocks]
  const reading = await readHighSchoolList(answer.notModified ? new Uint8Array() : answer.body, null)
  if (!reading.ok) return [unexpected(reading.detail), ...clocks]
  const took = Math.round(answer.finishedAt - answer.startedAt)
  return [
    ok(
      'service',
      `answers in ${took} ms (one request, GET /external/highSchools), with ${named(reading.content.highSchools)}`,
    ),
    ...unknownSchools(schools, reading.content.highSchools),
    ...clocks,
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

const FAILURES: Record<FailedFetch['kind'], (detail: string) => Check> = {
  'no-budget': () =>
    look(
      'service',
      'not asked: the hour’s or second’s requests are spent, or could not be counted',
      'Ask again later.',
    ),
  unauthenticated: refused,
  unauthorized: refused,
  'rate-limited': () =>
    wrong(
      'service',
      'says that the limit is reached',
      'Does something else use this token, or are LEADS_API_PER_SECOND and LEADS_API_PER_HOUR too high?',
    ),
  'not-found': unexpected,
  unreadable: unexpected,
  unavailable: (detail) =>
    wrong('service', detail, 'Can this machine reach LEADS_API_URL (name, firewall, proxy, certificate)?'),
}

function refused(detail: string): Check {
  return wrong('service', `refuses the token (${detail})`, 'Is LEADS_API_TOKEN right, and still good?')
}

function unexpected(detail: string): Check {
  return wrong('service', `does not answer as it should (${detail})`, 'Is LEADS_API_URL right, with its path?')
}

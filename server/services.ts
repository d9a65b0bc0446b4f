import 'server-only'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { LeadRef } from '@/lib/contract/lead'
import { createSignIn } from '@/server/access/sign-in'
import { createThrottle } from '@/server/access/throttle'
import { createViewers } from '@/server/access/viewers'
import { createActivity } from '@/server/activity/activity'
import { createContactIds } from '@/server/contacts/contact-id'
import type { Connect } from '@/server/db/db'
import { openDatabase } from '@/server/db/open-database'
import { type Env, env } from './env'
import { createAnnouncer } from '@/server/events/announcer'
import type { HubEvent } from '@/server/events/desk-event'
import { createHub, type Hub } from '@/server/events/hub'
import { createCardIds } from '@/server/export/card-ids'
import { createExportLog } from '@/server/export/export-log'
import { createScopes } from '@/server/export/export-scope'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createRedisShare } from '@/server/feed/share-in-redis'
import { feedAttempts } from '@/server/feed/shared-attempts'
import { listsPerHour } from '@/server/upstream/budget-rules'
import { createInterestCache } from '@/server/interest/interest-cache'
import { createHighSchoolLookup } from '@/server/high-schools/high-school-lookup'
import { createKeptTriageColumns } from '@/server/leads/kept-triage-columns'
import { createLogger, type Logger } from './logger'
import { createSharedPresence } from '@/server/presence/shared-presence'
import { createSeal } from '@/server/secrets/seal'
import { createSettings } from '@/server/settings/settings'
import { createPreferences } from '@/server/preferences/preferences'
import { createBulkTurns } from '@/server/triage/bulk-turns'
import { createTriageBoard, type TriageBoard } from '@/server/triage/triage-board'
import { createPurgeNews } from '@/server/retention/purge-news'
import { createRetention } from '@/server/retention/retention'
import { createRedisConnections, type RedisConnections } from '@/server/redis/redis-connections'
import { createBudget } from '@/server/upstream/budget'
import { createUpstreamClient } from '@/server/upstream/client'
import { createDatabaseBudgetStore } from '@/server/upstream/database-budget-store'
import { createDemoService, type DemoService } from '@/server/upstream/demo-service'
import { createHttpTransport } from '@/server/upstream/http-transport'
import { createInProcessTransport } from '@/server/upstream/in-process-transport'
import { createRedisBudgetStore } from '@/server/upstream/redis-budget-store'
import { createInvitationStore } from '@/server/users/invitation-store'
import { createUsers } from '@/server/users/users'
import { createViewCounts } from '@/server/views/view-counts'
import { createVisits } from '@/server/visits/visits'
import { feedFigures } from '@/server/metrics/feed-figures'
import { createMetrics } from '@/server/metrics/create-metrics'

export type Services = ReturnType<typeof composeServices>

/** The parts of this process, built once although Next loads modules several times. Building them opens nothing. */
export function services(): Services {
  const kept: unknown = Reflect.get(globalThis, KEY)
  if (isServices(kept)) return kept
  const made = composeServices(env())
  Reflect.set(globalThis, KEY, made)
  return made
}

const KEY = Symbol.for('intag.services')
/** An instance that dies while it fetches holds the others up for no longer. */
const TURN_MS = 15_000

function isServices(value: unknown): value is Services {
  return typeof value === 'object' && value !== null && 'feed' in value
}

function composeServices(settings: Env) {
  const now = Date.now
  const logger = createLogger(settings)
  const database = openDatabase(settings, logger)
  const connect = () => database.ready()
  const onUnreachable = (err: unknown) => logger.warn({ err }, 'the database cannot be read; what was read last holds')
  const demo = settings.mode === 'demo' ? createDemoService({ tier: settings.demoTier }) : null
  const sharing = composeSharing(settings, logger, connect)
  const upstream = composeUpstream(settings, logger, sharing, demo)
  const triage = createTriageBoard({ connect, onUnreachable })
  return {
    env: settings,
    logger,
    database,
    connect,
    demo,
    ...composeAccess(settings, logger, connect),
    redis: sharing.redis,
    share: sharing.share,
    ...upstream,
    triage,
    visits: createVisits({ connect, now, onUnreachable }),
    settings: createSettings({ connect, now, onUnreachable }),
    interest: createInterestCache(),
    contactIds: createContactIds(settings.dataKey),
    seal: createSeal(settings.dataKey),
    now,
    ...composeDesk(upstream.hub, sharing.redis, now),
    ...composeRetention({ settings, connect, triage, feed: upstream.feed, redis: sharing.redis, logger, now }),
    ...composeExports(settings, connect),
    metrics: createMetrics(() => ({ lists: feedFigures(upstream.feed, now()), ...upstream.budget.usage() })),
  }
}

/** What the staff notice of each other. */
function composeDesk(hub: Hub<HubEvent>, redis: RedisConnections | null, now: () => number) {
  const schedule = (delayMs: number, run: () => void) => void setTimeout(run, delayMs).unref()
  const announcer = createAnnouncer({ hub, redis, schedule })
  // Every instance hears of everybody and tells its own browsers.
  const onChange = (lead: LeadRef, school: string) => announcer.leadHere(lead, school, 'presence')
  return {
    announcer,
    presence: createSharedPresence({ now, schedule, onChange, redis }),
    bulkTurns: createBulkTurns(),
    viewCounts: createViewCounts(),
    triageColumns: createKeptTriageColumns(),
  }
}

type RetentionParts = {
  settings: Env
  connect: Connect
  triage: TriageBoard
  feed: Feed
  redis: RedisConnections | null
  logger: Logger
  now: () => number
}

/** What keeps nothing for longer than promised. */
function composeRetention({ settings, connect, triage, feed, redis, logger, now }: RetentionParts) {
  const purgeNews = createPurgeNews(triage, redis)
  const stateOf = { 'asked-question': feed.askedQuestions, 'declaration-of-interest': feed.declarations }
  const retention = createRetention({
    connect,
    triage,
    listNow: (kind) => {
      const { content, problem } = stateOf[kind]()
      return problem === null && content !== null ? content.table : null
    },
    news: purgeNews,
    months: settings.retentionMonths,
    now,
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs).unref()
      return () => clearTimeout(timer)
    },
    logger,
  })
  return { purgeNews, retention }
}

/** What instances have in common: alone, the database is enough; several meet in Redis. */
function composeSharing({ redisUrl, databaseUrl }: Env, logger: Logger, connect: Connect) {
  if (redisUrl === null)
    return { redis: null, share: null, store: createDatabaseBudgetStore(connect, { isAlone: databaseUrl === null }) }
  const redis = createRedisConnections(redisUrl, logger)
  const store = createRedisBudgetStore(redis.commands)
  // Whoever is silent for so long is taken for dead, by the budget and by the other instances alike.
  return { redis, share: createRedisShare({ ...redis, turnMs: TURN_MS }), store }
}

function composeAccess(settings: Env, logger: Logger, connect: Connect) {
  const parts = { db: connect, clock: Date.now }
  const users = createUsers({ ...parts, demo: settings.mode === 'demo' })
  const activity = createActivity(parts)
  return {
    users,
    activity,
    invitations: createInvitationStore(parts),
    signIn: createSignIn({ users, activity, throttle: createThrottle(parts), clock: Date.now }),
    viewers: createViewers({ users, clock: Date.now, logger }),
  }
}

function composeExports({ dataKey }: Env, connect: Connect) {
  const activity = createActivity({ db: connect, clock: Date.now })
  return {
    exportLog: createExportLog({ connect, clock: Date.now, activity, seal: createSeal(dataKey) }),
    scopeOf: createScopes(dataKey),
    cardId: createCardIds(dataKey),
    preferences: createPreferences(connect),
  }
}

function composeUpstream(
  settings: Env,
  logger: Logger,
  { share, store }: ReturnType<typeof composeSharing>,
  demo: DemoService | null,
) {
  const hub = createHub<HubEvent>()
  const clock = { now: Date.now, monotonic: () => performance.now() }
  const budget = createBudget({ limits: settings.limits, clock, store, logger })
  const { url, token } = settings.upstream ?? { url: 'http://demo.invalid', token: demo?.token ?? '' }
  const transport = demo ? createInProcessTransport(demo.handle) : createHttpTransport()
  const client = createUpstreamClient({ baseUrl: url, token, transport, budget, clock })
  const feed = createFeed({
    attempts: feedAttempts({ client, share, now: clock.now, yieldTurn: () => setImmediate() }),
    requestsPerHour: listsPerHour(settings.limits),
    now: clock.now,
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
    onChange: (list, { problem, version, unreadable }, isNew) => {
      if (problem) logger.warn({ list, kind: problem.kind, detail: problem.detail }, 'a list could not be fetched')
      else logger.debug({ list, version, unreadable }, 'fetched')
      if (isNew) hub.publish({ name: 'changed', change: { list, version } })
    },
  })
  return { hub, budget, client, feed, highSchoolLookup: createHighSchoolLookup({ client, now: clock.now }) }
}

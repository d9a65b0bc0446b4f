import 'server-only'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import { createKnownDevices } from '@/server/access/known-devices'
import { createIdentities } from '@/server/access/provider-sign-in'
import { createProviderCheck } from '@/server/access/provider-check'
import { createSecondFactors } from '@/server/access/second-factors'
import { createViewers } from '@/server/access/session'
import { createSessions } from '@/server/access/sessions'
import { createSignIn } from '@/server/access/sign-in'
import { createThrottle } from '@/server/access/throttle'
import { createActivity, createRefusals } from '@/server/access/activity'
import { createOpenings } from '@/server/access/openings'
import { createContactIds } from '@/server/leads/contact-id'
import { openDatabase } from '@/server/base/database'
import { processOutage } from '@/server/base/outage'
import { createRedisConnections } from '@/server/base/redis-connections'
import { createRedisSeal } from '@/server/base/redis-seal'
import { firstStart } from '@/server/demo/first-start'
import { createPresence } from '@/server/leads/presence'
import { composeMail } from '@/server/replies/mail'
import { createViewCounts } from '@/server/leads/saved-views'
import { type AnnouncerOptions, createAnnouncer, createHub } from '@/server/leads/announcer'
import { createNewsroom, type News } from '@/server/leads/news'
import { createStreamPlaces } from '@/server/http/stream-events'
import { createExportLog, createScopes } from '@/server/export/export-log'
import { createFeed } from '@/server/feed/feed'
import type { Touched } from '@/server/feed/list-state'
import { createKnownLeads } from '@/server/feed/known-leads'
import { createListSources } from '@/server/feed/list-source'
import { singleInstanceLists, createRedisLists } from '@/server/feed/shared-lists'
import { createInterestCache } from '@/server/interest/interest-cache'
import { createTopicFigures } from '@/server/interest/topic-figures'
import { createHighSchoolLookup } from '@/server/leads/high-schools'
import { createSharedPages } from '@/server/leads/table-cache'
import { createTopicIndex } from '@/server/leads/topic-index'
import { createChoiceCounts, createTriageColumnsCache, createWorkCounts } from '@/server/leads/list-counts'
import { databaseAnswers, processLifecycle } from './health'
import { createMetrics } from './metrics'
import { createCounters } from '@/server/base/counters'
import { statusNow } from './status'
import { createRetention } from '@/server/privacy/retention'
import { createSettings } from '@/server/access/settings'
import { createProtections } from '@/server/leads/protection-list'
import { createWork, createWorkClock } from '@/server/leads/work'
import { createVisits } from '@/server/leads/visits'
import { createTriageBoard } from '@/server/leads/triage-board'
import { createBudget } from '@/server/feed/budget'
import {
  createDatabaseBudgetStore,
  createRecordedBudgetStore,
  createRedisBudgetStore,
} from '@/server/feed/budget-store'
import { createUpstreamClient } from '@/server/feed/client'
import { createDemoService } from '@/server/feed/demo-service'
import { createHttpTransport, createInProcessTransport } from '@/server/base/transport'
import { createIsNobodyYet } from '@/server/access/first-users'
import { createInvitations } from '@/server/access/invitations'
import { createUsers } from '@/server/access/users'
import { type Env, env } from '@/server/base/env'
import { createEvery } from '@/server/base/every'
import { createLogger } from '@/server/base/logger'
import { oncePerProcess } from '@/server/base/once-per-process'
import { createSeal, deriveKey } from '@/server/base/seal'

/** Building opens nothing. */
export const services = oncePerProcess('services', () => compose(env()))

export type Services = ReturnType<typeof compose>

function compose(settings: Env) {
  const base = composeBase(settings)
  const sharing = composeSharing(base)
  const upstream = composeUpstream(base, sharing)
  const access = composeAccess(base)
  const desk = composeDesk(base, sharing, upstream, access)
  upstream.fetches.subscribe({
    onEvent: ({ list, isNew, touched }) => desk.newsroom.fetched(list, isNew, touched),
    onClose: () => {},
  })
  return {
    ...base,
    redis: sharing.redis,
    sharedLists: sharing.sharedLists,
    ...upstream,
    ...access,
    ...desk,
    retention: composeRetention(base, upstream, desk),
    workClock: createWorkClock(desk),
    ...composeMail(base),
    metrics: createMetrics({ ...base, ...sharing, ...upstream, ...access, ...desk }),
    lifecycle: processLifecycle(),
  }
}

type Base = ReturnType<typeof composeBase>
type Sharing = ReturnType<typeof composeSharing>
type Upstream = ReturnType<typeof composeUpstream>
type Access = ReturnType<typeof composeAccess>
type Desk = ReturnType<typeof composeDesk>

function composeBase(settings: Env) {
  const now = Date.now
  const logger = createLogger(settings)
  const every = createEvery({ schedule, logger })
  const registry = new Registry()
  const counters = createCounters(registry)
  const database = openDatabase(settings, logger)
  const connect = () => database.ready()
  processOutage().probe(() => databaseAnswers(connect))
  const activity = createActivity({ connect, now })
  const dataKeys = { current: settings.dataKey, previous: settings.previousDataKey }
  const seal = createSeal(dataKeys)
  const onUnreachable = (err: unknown) => logger.warn({ err }, 'the database cannot be read; what was read last holds')
  const stored = createSettings({ connect })
  return {
    env: settings,
    now,
    logger,
    every,
    registry,
    counters,
    database,
    connect,
    onUnreachable,
    activity,
    dataKeys,
    seal,
    settings: stored,
    exportLog: createExportLog({ connect, now, activity, seal }),
    scopes: createScopes(dataKeys),
    contactIds: createContactIds(dataKeys),
    openings: createOpenings({ connect, now, logger }),
    refusals: createRefusals({ activity, now, logger }),
  }
}

const yieldTurn = () => setImmediate()

/** How long the lease of a dead instance keeps others from fetching. */
const LEASE_MS = 10_000

function composeSharing({ env: { redisUrl, databaseUrl }, dataKeys, now, logger, connect }: Base) {
  if (redisUrl === null) {
    const store = createDatabaseBudgetStore(connect, { isAlone: databaseUrl === null })
    return { redis: null, sharedLists: singleInstanceLists, store }
  }
  const onForeign = (keyId: string) =>
    logger.error({ keyId }, 'an instance in this Redis has another DATA_KEY: nothing is shared with it')
  const seal = createRedisSeal({ keys: dataKeys, onForeign })
  const redis = createRedisConnections(redisUrl, { seal, logger })
  const live = createRedisBudgetStore(redis.commands)
  const store = createRecordedBudgetStore({ live, record: createDatabaseBudgetStore(connect), logger })
  return { redis, sharedLists: createRedisLists({ ...redis, now, leaseMs: LEASE_MS }), store }
}

type Fetched = { list: FeedList; isNew: boolean; touched: Touched | null }

function composeUpstream(base: Base, { sharedLists, store }: Sharing) {
  const { env: settings, now, logger, counters } = base
  const demo =
    settings.mode === 'demo'
      ? createDemoService({ tier: settings.demoTier, staysLively: !settings.demoPast, madeAt: () => firstStart(base) })
      : null
  const clock = { now, monotonic: () => performance.now() }
  const budget = createBudget({ limits: settings.limits, clock, store, logger })
  const { url, token } = settings.upstream ?? { url: 'http://demo.invalid', token: demo?.token ?? '' }
  const transport = demo ? createInProcessTransport(demo.handle) : createHttpTransport()
  const client = counters.countClient(createUpstreamClient({ baseUrl: url, token, transport, budget, clock }))
  const fetches = createHub<Fetched>()
  const known = createKnownLeads({ ...base, yieldTurn })
  const feed = createFeed({
    sources: createListSources({ client, clock, known, yieldTurn }),
    shared: sharedLists,
    requestsPerHour: budget.listsPerHour,
    now,
    schedule,
    random: Math.random,
    onChange: (list, { problem, nextAt, version, unreadable }, isNew, touched) => {
      const retryAt = nextAt === null ? null : new Date(nextAt).toISOString()
      if (problem)
        logger.warn({ list, kind: problem.kind, detail: problem.detail, retryAt }, 'a list could not be fetched')
      else logger.debug({ list, version, unreadable }, 'fetched')
      fetches.publish({ list, isNew, touched })
    },
    onError: (list, err) =>
      logger.error({ list, err }, 'a list could not be fetched or published because of an error of ours'),
  })
  return {
    demo,
    budget,
    client,
    feed,
    known,
    fetches,
    highSchoolLookup: createHighSchoolLookup({ client, now }),
  }
}

/** For changes that are not announced: by a database administrator, or an instance that cannot be heard. */
const CACHE_TTL_MS = 5_000

function composeDesk(
  { env: settings, now, logger, connect, onUnreachable, seal }: Base,
  { redis }: Sharing,
  { feed, budget }: Upstream,
  { sessions }: Access,
) {
  const caches: AnnouncerOptions['caches'] = {
    onEvent: (event) => {
      if (event.name === 'triage') triage.invalidate()
      if (event.name === 'person') viewers.invalidate(event.userId)
      protections.onEvent(event.name)
      if (event.name === 'work') work.invalidate()
    },
    onGap: () => {
      triage.invalidate()
      viewers.invalidateAll()
      protections.invalidate()
      work.invalidate()
      if (announcer.isListening()) newsroom.missed()
    },
  }
  const publish: AnnouncerOptions['publish'] = (event) => newsroom.desk(event)
  const announcer = createAnnouncer({ publish, redis, schedule, caches, cacheTtlMs: CACHE_TTL_MS })
  const ttlMs = () => (announcer.isListening() ? CACHE_TTL_MS : 0)
  const viewers = createViewers({ sessions, now, logger, ttlMs })
  const triage = createTriageBoard({ connect, onUnreachable, now, ttlMs })
  const protections = createProtections({ connect, seal, now, ttlMs, onUnreachable })
  const work = createWork({ connect, now, ttlMs, onUnreachable })
  const currentQuestions = () => feed.askedQuestions().content?.table ?? null
  const topics = createTopicIndex({ current: currentQuestions, yieldTurn })
  const hub = createHub<News>()
  const triageColumns = createTriageColumnsCache()
  const status = () => statusNow({ env: settings, feed, budget, now })
  const newsroom = createNewsroom({ feed, hub, status })
  // Every instance gets every heartbeat, so each informs its own browsers.
  const onChange = (lead: LeadRef, school: string) => announcer.leadLocally(lead, school, 'presence')
  return {
    announcer,
    viewers,
    triage,
    protections,
    work,
    topics,
    presence: createPresence({ now, onChange, redis }),
    triageColumns,
    hub,
    newsroom,
    ...composeShared(),
    visits: createVisits({ connect, now, onUnreachable }),
  }
}

function composeShared() {
  return {
    streamPlaces: createStreamPlaces(),
    sharedPages: createSharedPages(),
    choiceCounts: createChoiceCounts(),
    viewCounts: createViewCounts(),
    workCounts: createWorkCounts(),
    interest: createInterestCache(),
    topicFigures: createTopicFigures(),
  }
}

function composeAccess({ env: settings, now, logger, counters, connect, activity, seal }: Base) {
  const users = createUsers({ connect, now, demo: settings.mode === 'demo' })
  const throttle = createThrottle({ connect, now, hashKey: deriveKey(settings.dataKey, 'sign-in attempts') })
  const devices = createKnownDevices({ connect, now, env: settings })
  const { oidc } = settings
  const secondFactors = createSecondFactors({ connect, now, seal })
  const signIn = createSignIn({ users, activity, throttle, devices, secondFactors, env: settings })
  const check = oidc && createProviderCheck({ oidc, transport: createHttpTransport(), now, logger })
  return {
    users,
    isNobodyYet: createIsNobodyYet({ users, env: settings }),
    throttle,
    secondFactors,
    sessions: createSessions({ connect, now, logger, demo: settings.mode === 'demo', env: settings }),
    devices,
    invitations: createInvitations({ connect, now }),
    identities: createIdentities({ connect, now }),
    providerCheck: check && counters.countProvider(check),
    signIn: counters.countSignIn(signIn),
  }
}

function composeRetention(base: Base, { feed, known }: Upstream, desk: Desk) {
  const stateOf = { 'asked-question': feed.askedQuestions, 'declaration-of-interest': feed.declarations }
  const listNow = (kind: LeadKind) => {
    const { content, problem } = stateOf[kind]()
    return problem === null && content !== null ? content.table : null
  }
  return createRetention({ ...base, ...desk, known, listNow, months: base.env.retentionMonths })
}

/** Waiting keeps no process alive. */
function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs).unref()
  return () => clearTimeout(timer)
}

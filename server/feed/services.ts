import type { FeedList } from '@/lib/contract/lists'
import { createHub } from '@/server/base/hub'
import type { BaseServices } from '@/server/base/services'
import { createHttpTransport, createInProcessTransport } from '@/server/base/transport'
import { createBudget } from './budget'
import { createDatabaseBudgetStore } from './budget-store'
import { createUpstreamClient } from './client'
import { createDemoService, ensureFirstStart } from './demo-service'
import { createFeed } from './feed'
import { createKnownLeads } from './known-leads'
import { createListSources } from './list-source'
import type { ChangedLeads } from './list-state'
import { createDatabaseLists, LEASE_MS, singleInstanceLists } from './shared-lists'
import { toIso } from './snapshot-info'

declare module '@/server/base/services' {
  interface Services extends FeedServices {}
}

export type FeedServices = ReturnType<typeof createFeedServices>

export function createFeedServices(base: BaseServices) {
  const { env, now, clock, logger, counters, schedule } = base
  const readFirstStart = () => ensureFirstStart(base)
  const demoOptions = { tier: env.demoTier, arrivesSteadily: !env.hasDemoPast, readFirstStart }
  const demo = env.mode === 'demo' ? createDemoService(demoOptions) : null
  // Without a URL the database is PGlite, which only one process at a time can open.
  const sharedLists =
    env.databaseUrl === null ? singleInstanceLists : createDatabaseLists({ ...base, leaseMs: LEASE_MS })
  const store = createDatabaseBudgetStore(base.connect)
  const budget = createBudget({ limits: env.limits, clock, store, logger })
  const { url, token } = env.upstream ?? { url: 'http://demo.invalid', token: demo?.token ?? '' }
  const transport = demo ? createInProcessTransport(demo.handle) : createHttpTransport()
  const { countUpstreamRequest } = counters
  const client = createUpstreamClient({ baseUrl: url, token, transport, budget, clock, countUpstreamRequest })
  const fetchEvents = createHub<{ list: FeedList; isNew: boolean; changedLeads: ChangedLeads | null }>()
  const knownLeads = createKnownLeads(base)
  const feed = createFeed({
    sources: createListSources({ client, clock, knownLeads }),
    sharedLists,
    requestsPerHour: budget.listFetchesPerHour,
    now,
    schedule,
    random: Math.random,
    onChange: (list, { problem, nextAt, version, unreadable }, isNew, changedLeads) => {
      const retryAt = nextAt === null ? null : toIso(nextAt)
      if (problem)
        logger.warn({ list, kind: problem.kind, detail: problem.detail, retryAt }, 'a list could not be fetched')
      else logger.debug({ list, version, unreadable }, 'fetched')
      fetchEvents.publish({ list, isNew, changedLeads })
    },
    onError: (list, err) =>
      logger.error({ list, err }, 'a list could not be fetched or published because of an error of ours'),
  })
  return { demo, budget, client, feed, knownLeads, fetchEvents, sharedLists }
}

import 'server-only'
import { createHub } from '@/server/base/hub'
import type { BaseServices } from '@/server/base/services'
import type { FeedServices } from '@/server/feed/services'
import { createContactIds } from './contact-id'
import { readFeedStatus } from './feed-status'
import { createHighSchoolLookup } from './high-schools'
import { createHubPublisher, type HubEvent } from './hub-events'
import { createCountCaches } from './list-counts'
import { createPresence } from './presence'
import { createProtectionCache } from './protection-list'
import { createSharedPages, type LeadItem } from './shared-pages'
import { createTableCache } from './table-cache'
import { createTopicIndex } from './topic-index'
import { createTriageBoard } from './triage-board'
import { createVisits } from './visits'
import { createWorkChangeCheck, createWorkSettingsCache } from './work'

declare module '@/server/base/services' {
  interface Services extends LeadServices {}
}

/** Limits the cached selections of each table: one of the largest list takes 300 kB. */
const MAX_SELECTIONS = 100
const MAX_SCOPES = 400

export type LeadServices = ReturnType<typeof createLeadServices>

export function createLeadServices(lower: BaseServices & FeedServices) {
  const { now, connect, onUnreachable, seal, events, announcer, feed, cacheTtlMs: ttlMs } = lower
  const stored = { connect, now, onUnreachable, ttlMs }
  const triage = createTriageBoard(stored)
  const protections = createProtectionCache({ ...stored, seal })
  const work = createWorkSettingsCache(stored)
  announcer.registerCache({
    onEvent: ({ name }) => {
      if (name === 'triage') triage.invalidate()
      if (name === 'work') work.invalidate()
      if (name === 'protections') protections.reset()
      if (name === 'person') protections.invalidate()
    },
    onGap: () => {
      triage.invalidate()
      work.invalidate()
      protections.invalidate()
      hubPublisher.publishAllStale()
    },
  })
  const hub = createHub<HubEvent>()
  const hubPublisher = createHubPublisher(feed, hub, () => readFeedStatus(lower))
  announcer.registerBrowsers(hubPublisher.publishDeskEvent)
  lower.fetchEvents.subscribe({
    onEvent: ({ list, isNew, changedLeads }) => hubPublisher.publishFetched(list, isNew, changedLeads),
    onClose: () => {},
  })
  return {
    contactIds: createContactIds(lower.dataKeys),
    highSchoolLookup: createHighSchoolLookup(lower.client, now),
    triage,
    protections,
    work,
    announceWorkChange: createWorkChangeCheck(work, announcer),
    topics: createTopicIndex({ current: () => feed.askedQuestions().content?.table ?? null }),
    presence: createPresence(events, now, announcer.announcePresence),
    visits: createVisits(stored),
    hub,
    hubPublisher,
    sharedPages: createSharedPages(),
    selectedRows: createTableCache<Uint32Array>(MAX_SELECTIONS),
    leadItems: createTableCache<Map<number, LeadItem>>(MAX_SCOPES),
    ...createCountCaches(),
  }
}

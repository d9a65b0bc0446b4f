import type { LeadItem } from '@/lib/api/leads'
import type { ChoiceCounts } from '@/lib/leads/count-choices'
import type { WorkCounts } from '@/lib/leads/count-work'
import type { FirstAnswer } from '@/lib/leads/first-answers'
import type { TriageColumns } from '@/lib/leads/triage-columns'
import { createHub } from '@/server/base/hub'
import type { BaseServices } from '@/server/base/services'
import type { FeedServices } from '@/server/feed/services'
import { createContactIds } from './contact-id'
import { readFeedStatus } from './feed-status'
import { createHighSchoolLookup } from './high-schools'
import { createHubPublisher, type HubEvent } from './hub-events'
import { createPresence } from './presence'
import { createProtectionCache } from './protection-list'
import { createSharedPages } from './shared-pages'
import { createTableCache } from './table-cache'
import { createTopicIndex } from './topic-index'
import { createTriageBoard } from './triage-board'
import { createUserNameReader } from './user-names'
import { createVisits } from './visits'
import { createWorkChangeCheck, createWorkSettingsCache } from './work-settings'

declare module '@/server/base/services' {
  interface Services extends LeadServices {}
}

/** A selection of the largest list takes 300 kB, so fewer selections are cached than other values. */
const MAX_SELECTIONS = 100
const MAX_ITEM_SCOPES = 400
const MAX_COUNTS = 500
const MAX_VIEW_COUNTS = 2_000

type LeadServices = ReturnType<typeof createLeadServices>

export function createLeadServices(lower: BaseServices & FeedServices) {
  const { announcer, feed } = lower
  const triage = createTriageBoard(lower)
  const protections = createProtectionCache(lower)
  const work = createWorkSettingsCache(lower)
  const hub = createHub<HubEvent>()
  const hubPublisher = createHubPublisher(hub.publish, () => readFeedStatus(lower))
  announcer.registerCache({
    onEvent: ({ name }) => {
      if (name === 'triage') triage.invalidate()
      if (name === 'work') work.invalidate()
      if (name === 'protections') protections.reset()
      if (name === 'person') protections.invalidate()
    },
    onGap: () => {
      for (const cache of [triage, work, protections]) cache.invalidate()
      hubPublisher.publishStaleLists()
    },
  })
  announcer.registerBrowsers(hubPublisher.publishDeskEvent)
  // Streams are closed by their own hub.
  lower.fetchEvents.subscribe({ onEvent: hubPublisher.publishFetched, onClose: () => {} })
  return {
    contactIds: createContactIds(lower.dataKeys[0]),
    highSchoolLookup: createHighSchoolLookup(lower),
    triage,
    readUserNames: createUserNameReader(lower),
    protections,
    work,
    announceWorkChange: createWorkChangeCheck(work, announcer.announceWorkLocally),
    topics: createTopicIndex(() => feed.askedQuestions().content?.table ?? null),
    presence: createPresence(lower, announcer.announcePresence),
    visits: createVisits(lower),
    hub,
    hubPublisher,
    sharedPages: createSharedPages(triage.getVersion),
    selectedRows: createTableCache<Uint32Array>(MAX_SELECTIONS, triage.getVersion),
    leadItems: createTableCache<Map<number, LeadItem>>(MAX_ITEM_SCOPES, triage.getVersion),
    triageColumns: createTableCache<TriageColumns>(1, triage.getVersion),
    choiceCounts: createTableCache<ChoiceCounts>(MAX_COUNTS, triage.getVersion),
    answersOfWeek: createTableCache<FirstAnswer[]>(2, triage.getVersion),
    workCounts: createTableCache<WorkCounts & { answers: readonly FirstAnswer[] }>(MAX_COUNTS, triage.getVersion),
    viewCounts: createTableCache<number>(MAX_VIEW_COUNTS, triage.getVersion),
  }
}

import 'server-only'
import { createViewCounts } from '@/server/desk/view-counts'
import { createStreamPlaces } from '@/server/events/stream-events'
import { processLoad } from '@/server/http/load'
import { createInterestCache } from '@/server/interest/interest-cache'
import { createChoiceCounts } from '@/server/leads/list-counts'
import { createSharedPages } from '@/server/leads/shared'
import { createWorkCounts } from '@/server/leads/work-counts'

/** What is worked out once for all who ask for the same, and how many may ask. */
export function createSharedWork() {
  return {
    load: processLoad(),
    streamPlaces: createStreamPlaces(),
    sharedPages: createSharedPages(),
    choiceCounts: createChoiceCounts(),
    viewCounts: createViewCounts(),
    workCounts: createWorkCounts(),
    interest: createInterestCache(),
  }
}

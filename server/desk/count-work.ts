import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { queueFilter } from '@/lib/inbox/queues'
import type { Viewer } from '@/server/access/viewer'
import { selectMatching, type SelectionParts } from '@/server/leads/select-leads'

/** What waits for somebody on one list, in numbers. */
export type WorkCounts = Record<'fresh' | 'waiting' | 'late' | 'followUp' | 'mine', number>

/** The lists' own filters, so that each number is what its link shows. */
const FILTERS: Record<keyof WorkCounts, LeadFilter> = {
  fresh: queueFilter('new', null),
  waiting: queueFilter('waiting', null),
  late: queueFilter('late', null),
  followUp: queueFilter('followUps', null),
  mine: queueFilter('mine', null),
}

/** Counted over what this person may see. */
export async function countWork(parts: SelectionParts, viewer: Viewer, list: LeadList): Promise<WorkCounts> {
  const count = async (name: keyof WorkCounts) =>
    (await selectMatching(parts, viewer, { list, ...FILTERS[name] })).rows.length
  return {
    fresh: await count('fresh'),
    waiting: await count('waiting'),
    late: await count('late'),
    followUp: await count('followUp'),
    mine: await count('mine'),
  }
}

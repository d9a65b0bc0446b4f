import { toQueryString } from '@/lib/api/send'
import type { DayNumbers, DueDays } from '@/lib/contract/day'
import type { LeadRef } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LISTS_BY_KIND, type QueueName, QUEUES } from '@/lib/contract/lists'
import type { LeadKey } from '@/lib/leads/lead-key'

export const MENU_QUEUES = ['mine', 'unassigned', 'waiting', 'late', 'followUps', 'new'] as const satisfies QueueName[]
export type MenuQueue = (typeof MENU_QUEUES)[number]

const QUEUE_FILTERS: Readonly<Record<Exclude<QueueName, 'dueToday'>, LeadFilter>> = {
  new: { fresh: true, status: ['new'], earlier: false, snoozed: false },
  late: { late: true },
  waiting: { waiting: true },
  mine: { assignee: ['me'], status: ['new', 'in-progress'], snoozed: false, earlier: false },
  followUps: { followUp: true },
  snoozed: { snoozed: true },
  unassigned: { waiting: true, assignee: ['none'] },
}

export function findQueueFilter(name: QueueName, due: DueDays | null): LeadFilter {
  return name === 'dueToday' ? { waiting: true, ...due } : QUEUE_FILTERS[name]
}

export function toQueueHref(name: QueueName, schools: readonly string[], lead?: LeadKey): string {
  return `/queue/${QUEUES[name]}${toQueryString({ school: schools, lead })}`
}

/** Finds the queue to work on after `current`: late leads first, then the first queue of the menu with any lead. */
export function findNextQueue(day: DayNumbers, current: QueueName | null): MenuQueue | null {
  return (['late', ...MENU_QUEUES] as const).find((name) => name !== current && day[name] > 0) ?? null
}

export function toLeadHref({ kind, id }: LeadRef): string {
  return LISTS_BY_KIND[kind].href + toQueryString({ lead: id })
}

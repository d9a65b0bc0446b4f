import { toQueryString } from '@/lib/api/send'
import type { Day, DayNumbers, DueDays } from '@/lib/contract/day'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LISTS_BY_KIND, type QueueName, QUEUES } from '@/lib/contract/lists'
import type { LeadKey } from '@/lib/leads/lead-key'
import { stockholmClock } from '@/lib/time/stockholm'

export const MENU_QUEUES = ['mine', 'unassigned', 'waiting', 'late', 'followUps', 'new'] as const satisfies QueueName[]
type MenuQueue = (typeof MENU_QUEUES)[number]

const FILTERS: Readonly<Record<QueueName, LeadFilter>> = {
  new: { fresh: true, status: ['new'], earlier: false, snoozed: false },
  late: { late: true },
  dueToday: { waiting: true },
  waiting: { waiting: true },
  mine: { assignee: ['me'], status: ['new', 'in-progress'], snoozed: false, earlier: false },
  followUps: { followUp: true },
  snoozed: { snoozed: true },
  unassigned: { waiting: true, assignee: ['none'] },
}

/** Returns the filter of a queue; its number of the day counts the same leads. */
export function queueFilter(name: QueueName, due: DueDays | null): LeadFilter {
  return { ...FILTERS[name], ...(name === 'dueToday' && due) }
}

/** The address opens the queue, and in it the lead if one is given. */
export function queueHref(name: QueueName, schools: readonly string[], lead?: LeadKey): string {
  return `/queue/${QUEUES[name]}${toQueryString({ school: schools, lead })}`
}

/** Finds the queue to start with, or to continue with after this one: late leads first, then the first queue of the menu with any lead. */
export function nextQueue(day: DayNumbers, current: QueueName | null): MenuQueue | null {
  return (['late', ...MENU_QUEUES] as const).find((name) => name !== current && day[name] > 0) ?? null
}

export function mentionHref({ mentioned: [newest] }: Pick<Day, 'mentioned'>): string | null {
  return newest ? `${LISTS_BY_KIND[newest.kind].href}${toQueryString({ lead: newest.id })}` : null
}

const HOUR_MS = 3_600_000

export function greetingAt(ms: number): 'morning' | 'day' | 'evening' {
  const hour = Math.floor((stockholmClock(ms) % (24 * HOUR_MS)) / HOUR_MS)
  if (hour >= 5 && hour < 10) return 'morning'
  return hour >= 17 ? 'evening' : 'day'
}

export function toFirstName(name: string): string {
  return name.trim().split(/[\s@]/)[0] ?? ''
}

/** Splits minutes for display: below ten hours into hours and minutes, below two days into whole hours, else into whole days. */
export function splitDuration(minutes: number): { days: number; hours: number; minutes: number } {
  const hours = Math.floor(minutes / 60)
  if (hours < 10) return { days: 0, hours, minutes: minutes % 60 }
  if (hours >= 48) return { days: Math.round(hours / 24), hours: 0, minutes: 0 }
  return { days: 0, hours: Math.round(minutes / 60), minutes: 0 }
}

import type { DayNumbers, DueDays } from '@/lib/contract/day'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'

/** The numbers of the day that are rows of a list. */
export type QueueName = keyof DayNumbers

/** Their order in the menu. */
export const MENU_QUEUES = ['mine', 'unassigned', 'waiting', 'late', 'followUps', 'new'] as const satisfies QueueName[]

/** Who waits longest comes first. */
const BY_WAITING: ReadonlySet<QueueName> = new Set<QueueName>(['late', 'dueToday', 'waiting'])

/** Which leads a number of the day counts: the list with this filter has as many rows. */
export function queueFilter(name: QueueName, due: DueDays | null): LeadFilter {
  switch (name) {
    case 'new':
      return { fresh: true, status: ['new'], earlier: false, snoozed: false }
    case 'late':
      return { late: true }
    case 'dueToday':
      return { waiting: true, ...due }
    case 'waiting':
      return { waiting: true }
    case 'mine':
      return { assignee: ['me'], status: ['new', 'in-progress'], snoozed: false, earlier: false }
    case 'followUps':
      return { followUp: true }
    case 'snoozed':
      return { snoozed: true }
    case 'unassigned':
      return { waiting: true, assignee: ['none'] }
    default:
      return name satisfies never
  }
}

/** Where those leads are on screen: in the address 1 and 0 stand for yes and no. */
export function queueHref(
  list: LeadList,
  name: QueueName,
  { due = null, schools = [] }: { due?: DueDays | null; schools?: readonly string[] },
): string {
  const sort: Sort | undefined = BY_WAITING.has(name) ? 'waiting' : undefined
  const filter = { ...queueFilter(name, due), ...(schools.length > 0 && { school: schools }), ...(sort && { sort }) }
  const params = Object.entries(filter).flatMap(([param, value]) =>
    [value].flat().map((one) => [param, typeof one === 'boolean' ? String(Number(one)) : String(one)]),
  )
  return `${LISTS[list].href}?${new URLSearchParams(params)}`
}

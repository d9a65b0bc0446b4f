import type { Day, DayNumbers, DueDays } from '@/lib/contract/day'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { stockholmClock } from '@/lib/time/stockholm'

export type QueueName = keyof DayNumbers

export const MENU_QUEUES = ['mine', 'unassigned', 'waiting', 'late', 'followUps', 'new'] as const satisfies QueueName[]

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

/** Where those leads are on screen; in the address 1 and 0 are yes and no. */
export function queueHref(
  list: LeadList,
  name: QueueName,
  { due = null, schools = [] }: { due?: DueDays | null; schools?: readonly string[] },
): string {
  const isByWaiting = name === 'late' || name === 'dueToday' || name === 'waiting'
  const filter = { ...queueFilter(name, due), school: schools, ...(isByWaiting && { sort: 'waiting' }) }
  const params = Object.entries(filter).flatMap(([param, value]) =>
    [value].flat().map((one) => [param, typeof one === 'boolean' ? String(Number(one)) : String(one)]),
  )
  return `${LISTS[list].href}?${new URLSearchParams(params)}`
}

export const DAY_LINES = ['late', 'dueToday', 'new', 'followUps', 'mine', 'unassigned', 'mentions'] as const
export type DayLineName = (typeof DAY_LINES)[number]

export type DayLine = {
  name: DayLineName
  count: number
  href: string | null
  parts: { list: LeadList; count: number; href: string }[]
}

export function dayLines(day: Day, schools: readonly string[] = []): DayLine[] {
  return DAY_LINES.map((name) => (name === 'mentions' ? mentionLine(day) : queueLine(day, name, schools)))
}

/** Nobody waits, and nothing is new or one's own. */
export function isDone(day: Day): boolean {
  return day.waiting === 0 && DAY_LINES.slice(0, 6).every((name) => day[name] === 0)
}

export function queueLine<Name extends QueueName>(day: Day, name: Name, schools: readonly string[]) {
  const parts = LEAD_LISTS.map((list) => {
    const { [name]: count, due } = day.byList[list]
    return { list, count, href: queueHref(list, name, { due, schools }) }
  })
  const [most] = parts.toSorted((a, b) => b.count - a.count)
  const { list = null, href = null } = most ?? {}
  return { name, count: day[name], list, href, parts: parts.filter(({ count }) => count > 0) }
}

const LISTED = [...MENU_QUEUES, 'dueToday'] as const
type ListedQueue = (typeof LISTED)[number]

type IsHere = (href: string) => boolean

/** The queue that a list on screen is a part of. */
export function queueAt(day: Day, schools: readonly string[], isHere: IsHere): ListedQueue | null {
  const isAt = (name: ListedQueue) =>
    LEAD_LISTS.some((list) => isHere(queueHref(list, name, { due: day.byList[list].due, schools })))
  return LISTED.find(isAt) ?? null
}

/** Where a list is one half of a queue: the other halves that have any. */
export function otherHalves(day: Day, schools: readonly string[], isHere: IsHere): DayLine['parts'] {
  const name = queueAt(day, schools, isHere)
  return name === null ? [] : queueLine(day, name, schools).parts.filter(({ href }) => !isHere(href))
}

export type NextQueue = DayLine['parts'][number] & { name: ListedQueue }

/** When a queue is worked through: the rest of it on the other list, then the next queue of the menu that has any. */
export function nextQueue(day: Day, at: ListedQueue, schools: readonly string[], isHere: IsHere): NextQueue | null {
  const place = MENU_QUEUES.findIndex((name) => name === at)
  const order = [at, ...MENU_QUEUES.slice(place + 1), ...MENU_QUEUES.slice(0, Math.max(0, place))]
  const parts = order.flatMap((name) =>
    queueLine(day, name, schools)
      .parts.filter(({ href }) => !isHere(href))
      .toSorted((a, b) => b.count - a.count)
      .map((part) => ({ ...part, name })),
  )
  return parts[0] ?? null
}

function mentionLine({ mentions, mentioned: [newest] }: Day): DayLine {
  const href = newest ? `${LISTS_BY_KIND[newest.kind].href}?${new URLSearchParams({ lead: newest.id })}` : null
  return { name: 'mentions', count: mentions, href, parts: [] }
}

const HOUR_MS = 3_600_000

export function greetingAt(ms: number): 'morning' | 'day' | 'evening' {
  const hour = Math.floor((stockholmClock(ms) % (24 * HOUR_MS)) / HOUR_MS)
  if (hour >= 5 && hour < 10) return 'morning'
  return hour >= 17 ? 'evening' : 'day'
}

export function firstNameOf(name: string): string {
  return name.trim().split(/[\s@]/)[0] ?? ''
}

/** The visit since which all that is new is new; null where the lists were visited at different times, and both have some. */
export function newSince({ byList }: Day): string | null {
  const visits = new Set(LEAD_LISTS.filter((list) => byList[list].new > 0).map((list) => byList[list].since))
  const all = visits.size > 0 ? visits : new Set(LEAD_LISTS.map((list) => byList[list].since))
  const [only = null] = all
  return all.size === 1 ? only : null
}

/** Minutes as hours and minutes, and as days from two on. */
export function inLargestUnits(minutes: number): { days: number; hours: number; minutes: number } {
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return { days: Math.round(hours / 24), hours: 0, minutes: 0 }
  return { days: 0, hours, minutes: minutes % 60 }
}

import type { Day } from '@/lib/contract/day'
import type { LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { stockholmClock } from '@/lib/time/stockholm'
import { MENU_QUEUES, type QueueName, queueHref } from './queues'

/** The lines of the day, in the order in which they are best worked through. */
export const DAY_LINES = ['late', 'dueToday', 'new', 'followUps', 'mine', 'unassigned', 'mentions'] as const
export type DayLineName = (typeof DAY_LINES)[number]

/** Whoever has none of these has done what the day asked for. */
const WORK: readonly DayLineName[] = ['late', 'dueToday', 'new', 'followUps', 'mine']

/** A number and where it leads; `parts` where both lists have some of it. */
export type DayLine = {
  name: DayLineName
  count: number
  href: string | null
  parts: { list: LeadList; count: number; href: string }[]
}

export function dayLines(day: Day, schools: readonly string[] = []): DayLine[] {
  return DAY_LINES.map((name) => (name === 'mentions' ? mentionLine(day) : queueLine(day, name, schools)))
}

/** Nothing of the work is left. */
export function isDone(day: Day): boolean {
  return WORK.every((name) => day[name] === 0)
}

/** A queue over both lists: it opens the list that has more of it. */
export function queueLine<Name extends QueueName>(day: Day, name: Name, schools: readonly string[]) {
  const parts = LEAD_LISTS.map((list) => {
    const { [name]: count, due } = day.byList[list]
    return { list, count, href: queueHref(list, name, { due, schools }) }
  })
  const [most] = parts.toSorted((a, b) => b.count - a.count)
  return {
    name,
    count: day[name],
    list: most?.list ?? null,
    href: most?.href ?? null,
    parts: parts.filter(({ count }) => count > 0),
  }
}

/** Where a list is one half of a queue: the other halves that have any. */
export function otherHalves(day: Day, schools: readonly string[], isHere: (href: string) => boolean): DayLine['parts'] {
  const queues = ([...MENU_QUEUES, 'dueToday'] as const).map((name) => queueLine(day, name, schools))
  const queue = queues.find(({ parts }) => parts.some(({ href }) => isHere(href)))
  return queue?.parts.filter(({ href }) => !isHere(href)) ?? []
}

/** Opens the lead whose note was written last. */
function mentionLine({ mentions, mentioned: [newest] }: Day): DayLine {
  const href = newest ? `${LISTS_BY_KIND[newest.kind].href}?${new URLSearchParams({ lead: newest.id })}` : null
  return { name: 'mentions', count: mentions, href, parts: [] }
}

const HOUR_MS = 3_600_000
const MORNING = 5
const DAYTIME = 10
const EVENING = 17

/** How one greets at this moment (ms) in Stockholm. */
export function greetingAt(ms: number): 'morning' | 'day' | 'evening' {
  const hour = Math.floor((stockholmClock(ms) % (24 * HOUR_MS)) / HOUR_MS)
  if (hour >= MORNING && hour < DAYTIME) return 'morning'
  return hour >= EVENING ? 'evening' : 'day'
}

/** The first of a person's names; of an e-mail address, which some accounts have instead, what stands before the sign. */
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

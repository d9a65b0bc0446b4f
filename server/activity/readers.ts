import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import { type Counted, HOUR_MS, SAME_OPENING_MS } from './reading-hours'

/** What each person reads within this hour, in memory only: how much of it has been counted, and not yet taken. */
export function createReaders(now: () => number) {
  const readers = new Map<string, Reader>()
  return {
    of: (userId: string): Reader => {
      // Looked at once: a clock that goes on in between makes an hour of its own, which ends what was counted.
      const at = now()
      const hour = at - (at % HOUR_MS)
      const known = readers.get(userId)
      if (known?.hour === hour) return known
      const reader = newReader(hour, known)
      readers.set(userId, reader)
      return reader
    },
    take: (): Counted[] => [...readers].flatMap(([userId, reader]) => reader.take(userId)),
    /** It could not be written. */
    giveBack: (counted: readonly Counted[]): void => {
      for (const one of counted) readers.get(one.userId)?.giveBack(one)
    },
    /** What was closed long ago is not kept, nor who reads nothing. */
    forgetOld: (): void => {
      for (const [userId, reader] of readers) {
        for (const [lead, at] of reader.opened) if (now() - at >= SAME_OPENING_MS) reader.opened.delete(lead)
        if (reader.isIdle() && now() - reader.hour >= HOUR_MS) readers.delete(userId)
      }
    },
  }
}

type Reader = ReturnType<typeof newReader>

/** So many different leads of an hour are told apart; from there on each row counts. */
const MOST_TOLD_APART = 5_000

/** An hour of one person, which goes on with what they had open in the one before. */
function newReader(hour: number, known?: { opened: Map<string, number>; rest: () => Omit<Counted, 'userId'>[] }) {
  const seen = new Set<number>()
  const opened = known?.opened ?? new Map<string, number>()
  const counts = { listed: 0, opened: 0, searches: 0 }
  const earlier = known?.rest() ?? []
  let largest: Counted['largest']
  let lastSearch = ''
  const rest = () => [...earlier, ...(isNone(counts) ? [] : [{ hour, ...counts, largest }])]
  const show = (kind: LeadKind, ids: Iterable<string>) => {
    for (const id of ids) {
      const before = seen.size
      if (before < MOST_TOLD_APART) seen.add(numberOf(kind, id))
      counts.listed += before < MOST_TOLD_APART ? seen.size - before : 1
    }
  }
  return {
    hour,
    opened,
    rest,
    show,
    carry: (kind: LeadKind, ids: readonly string[], purpose: string) => {
      show(kind, ids)
      if (ids.length > (largest?.count ?? 0)) largest = { count: ids.length, purpose }
    },
    search: (text: string) => {
      const isSame = lastSearch !== '' && (text.startsWith(lastSearch) || lastSearch.startsWith(text))
      if (!isSame) counts.searches += 1
      lastSearch = text
    },
    /** Whether it was not open before. */
    open: (lead: string, at: number) => {
      const isNew = at - (opened.get(lead) ?? Number.NEGATIVE_INFINITY) >= SAME_OPENING_MS
      opened.set(lead, at)
      if (isNew) counts.opened += 1
      return isNew
    },
    /** What has been counted since it was last taken. */
    take: (userId: string): Counted[] => {
      const taken = rest().map((one) => ({ userId, ...one }))
      earlier.length = 0
      Object.assign(counts, { listed: 0, opened: 0, searches: 0 })
      largest = undefined
      return taken
    },
    giveBack: ({ userId: _userId, ...one }: Counted) => {
      const same = earlier.find((each) => each.hour === one.hour)
      if (same) Object.assign(same, sumOf(same, one))
      else earlier.push(one)
    },
    isIdle: () => rest().length === 0 && opened.size === 0,
  }
}

type Counts = Omit<Counted, 'userId' | 'hour'>

function sumOf(a: Counts, b: Counts): Counts {
  const largest = (a.largest?.count ?? 0) > (b.largest?.count ?? 0) ? a.largest : b.largest
  return { listed: a.listed + b.listed, opened: a.opened + b.opened, searches: a.searches + b.searches, largest }
}

function isNone({ listed, opened, searches }: { listed: number; opened: number; searches: number }): boolean {
  return listed + opened + searches === 0
}

/** FNV-1a, 32 bits: enough to tell the leads of one person's hour apart, and no id is kept. */
function numberOf(kind: LeadKind, id: string): number {
  let number = kind === 'asked-question' ? 0x811c9dc5 : 0x01000193
  for (let at = 0; at < id.length; at++) number = Math.imul(number ^ id.charCodeAt(at), 0x01000193)
  return number
}

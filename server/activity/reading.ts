import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { ReadingLimits } from '@/lib/contract/activity'
import { leadKey } from '@/lib/leads/lead-key'
import type { Connect } from '@/server/db/database'
import { isStorableText } from '@/server/http/input'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import type { Activity } from './activity'
import { callerAddress } from './request-context'
import {
  addToHours,
  type Counted,
  enterOpenings,
  HOUR_MS,
  markUnusual,
  type Opening,
  SAME_OPENING_MS,
  unusualHours,
} from './reading-hours'

type ReadingOptions = {
  connect: Connect
  activity: Pick<Activity, 'recordIn'>
  seal: Pick<Seal, 'encrypt'>
  limits: () => Promise<ReadingLimits>
  now: () => number
  logger: Pick<Logger, 'warn'>
}
export type Reading = ReturnType<typeof createReading>

const LATER_MS = 15 * 60_000
/** In a long database outage the latest openings are kept. */
const MAX_PENDING = 20_000

/** Written every ten seconds. Which leads were listed is not stored. */
export function createReading(options: ReadingOptions) {
  const { now, logger } = options
  const counts = createCounts(now)
  const questions = createQuestions(now)
  let openings: Opening[] = []
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const [counted, opened] = [counts.take(), openings]
    openings = []
    try {
      await writeAll(options, counted, opened)
    } catch (err) {
      for (const each of counted) counts.add(each)
      openings = [...opened, ...openings].slice(-MAX_PENDING)
      logger.warn({ err }, 'what was read could not be written; the next round tries again')
    }
    await openQuestions(options).then(questions.set, (err: unknown) =>
      logger.warn({ err }, 'who is to be asked about their reading is not known'),
    )
  }
  return {
    /** Calls are serialised: when it resolves, everything counted before is written. */
    flush: () => (writing = writing.then(write)),
    countListed: counts.shown,
    countExported: (userId: string, kind: LeadKind, ids: readonly string[], purpose: string) =>
      counts.shown(userId, kind, ids, { count: ids.length, purpose }),
    /** Extending the last search text is the same search. */
    countSearch: (userId: string, text: string | undefined) => {
      if (text !== undefined) counts.searched(userId, text)
    },
    /** `isLogged`: logged separately by the caller. */
    countOpened: (userId: string, { kind, id }: LeadRef, { isLogged = false } = {}) => {
      const isNew = counts.opened(userId, leadKey({ kind, id }))
      if (!isNew || isLogged || !isStorableText(id)) return
      openings.push({ userId, at: now(), kind, id, address: callerAddress() })
    },
    isAsked: questions.asks,
    markAnswered: questions.answered,
    postpone: questions.later,
  }
}

const MAX_DISTINCT = 5_000

type Reader = { hour: number; seen: Set<number>; lastSearch: string }
type Largest = Counted['largest']

function createCounts(now: () => number) {
  const readers = new Map<string, Reader>()
  const openedAt = new Map<string, number>()
  const pending = createPendingCounts()
  const { add } = pending
  const readerOf = (userId: string): Reader => {
    // Read once, so that an hour cannot turn in between.
    const at = now()
    const hour = at - (at % HOUR_MS)
    const cached = readers.get(userId)
    const reader = cached?.hour === hour ? cached : { hour, seen: new Set<number>(), lastSearch: '' }
    readers.set(userId, reader)
    return reader
  }
  return {
    add,
    shown: (userId: string, kind: LeadKind, ids: Iterable<string>, largest?: Largest): void => {
      const { hour, seen } = readerOf(userId)
      let listed = 0
      for (const id of ids) {
        const before = seen.size
        if (before < MAX_DISTINCT) seen.add(numberOf(kind, id))
        listed += before < MAX_DISTINCT ? seen.size - before : 1
      }
      add({ userId, hour, listed, largest })
    },
    searched: (userId: string, text: string): void => {
      const reader = readerOf(userId)
      const { hour, lastSearch } = reader
      const isSame = lastSearch !== '' && (text.startsWith(lastSearch) || lastSearch.startsWith(text))
      reader.lastSearch = text
      if (!isSame) add({ userId, hour, searches: 1 })
    },
    opened: (userId: string, lead: string): boolean => {
      const at = now()
      const isNew = at - (openedAt.get(`${userId} ${lead}`) ?? Number.NEGATIVE_INFINITY) >= SAME_OPENING_MS
      openedAt.set(`${userId} ${lead}`, at)
      if (isNew) add({ userId, hour: readerOf(userId).hour, opened: 1 })
      return isNew
    },
    take: (): Counted[] => {
      const at = now()
      for (const [lead, when] of openedAt) if (at - when >= SAME_OPENING_MS) openedAt.delete(lead)
      for (const [userId, { hour }] of readers) if (at - hour >= HOUR_MS) readers.delete(userId)
      return pending.takeAll()
    },
  }
}

function createPendingCounts() {
  const waiting = new Map<string, Counted>()
  return {
    add: (given: Partial<Counted> & Pick<Counted, 'userId' | 'hour'>): void => {
      const { userId, hour, listed = 0, opened = 0, searches = 0, largest } = given
      if (listed + opened + searches === 0 && largest === undefined) return
      const key = `${userId} ${hour}`
      const known = waiting.get(key) ?? { userId, hour, listed: 0, opened: 0, searches: 0, largest: undefined }
      known.listed += listed
      known.opened += opened
      known.searches += searches
      if ((largest?.count ?? 0) > (known.largest?.count ?? 0)) known.largest = largest
      waiting.set(key, known)
    },
    takeAll: (): Counted[] => {
      const taken = [...waiting.values()]
      waiting.clear()
      return taken
    },
  }
}

/** FNV-1a, 32 bits: enough to tell the leads of a user's hour apart, without keeping ids. */
function numberOf(kind: LeadKind, id: string): number {
  let number = kind === 'asked-question' ? 0x811c9dc5 : 0x01000193
  for (let at = 0; at < id.length; at++) number = Math.imul(number ^ id.charCodeAt(at), 0x01000193)
  return number
}

async function writeAll(
  { connect, activity, seal, limits, now }: ReadingOptions,
  counted: readonly Counted[],
  openings: readonly Opening[],
): Promise<void> {
  if (counted.length + openings.length === 0) return
  const existing = await limits()
  const db = await connect()
  await db.transaction(async (tx) => {
    await addToHours(tx, counted)
    await enterOpenings(tx, openings)
    await markUnusual(tx, { activity, seal }, counted, { limits: existing, now: now() })
  })
}

async function openQuestions({ connect, now }: ReadingOptions): Promise<string[]> {
  const hours = await unusualHours(await connect(), now())
  return hours.flatMap(({ userId, sealedReason }) => (sealedReason === null ? [userId] : []))
}

function createQuestions(now: () => number) {
  let open: ReadonlySet<string> = new Set()
  const later = new Map<string, number>()
  return {
    set: (userIds: Iterable<string>) => {
      open = new Set(userIds)
      for (const [userId, until] of later) if (!open.has(userId) || until <= now()) later.delete(userId)
    },
    asks: (userId: string) => open.has(userId) && (later.get(userId) ?? 0) <= now(),
    answered: (userId: string) => {
      open = new Set([...open].filter((id) => id !== userId))
    },
    later: (userId: string) => void later.set(userId, now() + LATER_MS),
  }
}

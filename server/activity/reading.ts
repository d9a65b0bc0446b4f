import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { ReadingLimits } from '@/lib/contract/reading'
import type { Connect } from '@/server/db/database'
import { isStorableText } from '@/server/http/input'
import type { Logger } from '@/server/logger'
import type { Activity } from './activity'
import { askingAddress } from './asked-from'
import { addToHours, type Counted, enterOpenings, HOUR_MS, markUnusual, type Opening, SAME_OPENING_MS, unusualHours } from './reading-hours'

type ReadingOptions = {
  connect: Connect
  activity: Pick<Activity, 'recordIn'>
  limits: () => Promise<ReadingLimits>
  now: () => number
  /** Runs it after so many milliseconds; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
  logger: Pick<Logger, 'warn'>
}
export type Reading = ReturnType<typeof createReading>

const WRITE_EVERY_MS = 10_000
const LATER_MS = 15 * 60_000
/** Of an outage of the database that lasts, the latest openings are kept. */
const MOST_WAITING = 20_000

/**
 * How much each person reads, counted in memory and written every ten seconds: a lead counts as shown once per person and hour,
 * whatever sends its row, and as opened once until it has been closed for ten minutes. Which leads were shown is written
 * nowhere.
 */
export function createReading(options: ReadingOptions) {
  const { now, schedule, logger } = options
  const readers = new Map<string, Reader>()
  const questions = createQuestions(now)
  let openings: Opening[] = []
  let writing: Promise<void> = Promise.resolve()
  let cancel: (() => void) | null = null

  const readerOf = (userId: string): Reader => {
    const hour = now() - (now() % HOUR_MS)
    const known = readers.get(userId)
    if (known?.hour === hour) return known
    const reader = newReader(hour, known)
    readers.set(userId, reader)
    return reader
  }
  const write = async () => {
    const counted = [...readers].flatMap(([userId, reader]) => reader.take(userId))
    const opened = openings
    openings = []
    forgetOld(readers, now())
    try {
      await writeAll(options, counted, opened)
      questions.set(await openQuestions(options))
    } catch (err) {
      for (const one of counted) readers.get(one.userId)?.giveBack(one)
      openings = [...opened, ...openings].slice(-MOST_WAITING)
      logger.warn({ err }, 'what was read could not be written; the next round tries again')
    }
  }
  /** One after the other, so that what is being written is written once it resolves. */
  const flush = () => (writing = writing.then(write))
  const runAfter = (delayMs: number) => {
    cancel = schedule(delayMs, () => void flush().then(() => cancel && runAfter(WRITE_EVERY_MS)))
  }
  return {
    flush,
    start: () => cancel ?? runAfter(WRITE_EVERY_MS),
    stop: async () => {
      cancel?.()
      cancel = null
      await flush()
    },
    /** Rows of these leads are being sent to the person. */
    shown: (userId: string, kind: LeadKind, ids: Iterable<string>) => readerOf(userId).show(kind, ids),
    /** The person searches; what is typed on from the search before is the same one. */
    searched: (userId: string, text: string | undefined) => text !== undefined && readerOf(userId).search(text),
    /** The person has the lead before them; `isLogged` where the log has an entry of its own for it. */
    opened: (userId: string, { kind, id }: LeadRef, { isLogged = false } = {}) => {
      const isNew = readerOf(userId).open(`${kind} ${id}`, now())
      if (!isNew || isLogged || !isStorableText(id)) return
      openings.push({ userId, at: now(), kind, id, address: askingAddress() })
    },
    /** Whether the person is to be asked why they read so much. */
    asks: questions.asks,
    /** They have answered, or do so later. */
    answered: questions.answered,
    later: questions.later,
  }
}

/** Hour by hour: whose row is kept in `known` goes on with what they have open. */
type Reader = ReturnType<typeof newReader>

/** So many different leads of an hour are told apart; from there on each row counts. */
const MOST_TOLD_APART = 5_000

function newReader(hour: number, known?: { opened: Map<string, number>; rest: () => Omit<Counted, 'userId'>[] }) {
  const seen = new Set<number>()
  const opened = known?.opened ?? new Map<string, number>()
  const counts = { listed: 0, opened: 0, searches: 0 }
  const earlier = known?.rest() ?? []
  let lastSearch = ''
  const rest = () => [...earlier, ...(isNone(counts) ? [] : [{ hour, ...counts }])]
  return {
    hour,
    opened,
    rest,
    show: (kind: LeadKind, ids: Iterable<string>) => {
      for (const id of ids) {
        if (seen.size >= MOST_TOLD_APART) {
          counts.listed += 1
          continue
        }
        const before = seen.size
        seen.add(numberOf(kind, id))
        counts.listed += seen.size - before
      }
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
      return taken
    },
    giveBack: ({ userId: _userId, ...one }: Counted) => void earlier.push(one),
    isIdle: () => rest().length === 0 && opened.size === 0,
  }
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

/** What was closed long ago is not kept, nor who reads nothing. */
function forgetOld(readers: Map<string, Reader>, now: number): void {
  for (const [userId, reader] of readers) {
    for (const [lead, at] of reader.opened) if (now - at >= SAME_OPENING_MS) reader.opened.delete(lead)
    if (reader.isIdle() && now - reader.hour >= HOUR_MS) readers.delete(userId)
  }
}

async function writeAll(
  { connect, activity, limits, now }: ReadingOptions,
  counted: readonly Counted[],
  openings: readonly Opening[],
): Promise<void> {
  if (counted.length + openings.length === 0) return
  const known = await limits()
  const db = await connect()
  await db.transaction(async (tx) => {
    await addToHours(tx, counted)
    await enterOpenings(tx, openings)
    await markUnusual(tx, activity, counted, { limits: known, now: now() })
  })
}

async function openQuestions({ connect, now }: ReadingOptions): Promise<string[]> {
  const hours = await unusualHours(await connect(), now())
  return hours.flatMap(({ userId, sealedReason }) => (sealedReason === null ? [userId] : []))
}

/** Who is to be asked why they read so much, as the database last said, and who has put it off. */
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
      open = new Set([...open].filter((one) => one !== userId))
    },
    later: (userId: string) => void later.set(userId, now() + LATER_MS),
  }
}

import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { ReadingLimits } from '@/lib/contract/reading'
import type { Connect } from '@/server/db/database'
import { isStorableText } from '@/server/http/input'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import type { Activity } from './activity'
import { askingAddress } from './asked-from'
import { createReaders } from './readers'
import { addToHours, type Counted, enterOpenings, markUnusual, type Opening, unusualHours } from './reading-hours'

type ReadingOptions = {
  connect: Connect
  activity: Pick<Activity, 'recordIn'>
  seal: Pick<Seal, 'close'>
  limits: () => Promise<ReadingLimits>
  now: () => number
  logger: Pick<Logger, 'warn'>
}
export type Reading = ReturnType<typeof createReading>

const LATER_MS = 15 * 60_000
/** Of an outage of the database that lasts, the latest openings are kept. */
const MOST_WAITING = 20_000

/**
 * How much each person reads, counted in memory and written every ten seconds: a lead counts as shown once per person and hour,
 * whatever sends its row, and as opened once until it has been closed for ten minutes. Which leads were shown is written
 * nowhere.
 */
export function createReading(options: ReadingOptions) {
  const { now, logger } = options
  const readers = createReaders(now)
  const questions = createQuestions(now)
  const waiting: { openings: Opening[] } = { openings: [] }
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    if (await writeWaiting(options, readers, waiting)) readers.forgetOld()
    await openQuestions(options).then(questions.set, (err: unknown) =>
      logger.warn({ err }, 'who is to be asked about their reading is not known'),
    )
  }
  return {
    /** One round. One after the other, so that what is being written is written once it resolves. */
    flush: () => (writing = writing.then(write)),
    /** Rows of these leads are being sent to the person. */
    shown: (userId: string, kind: LeadKind, ids: Iterable<string>) => readers.of(userId).show(kind, ids),
    /** Leads leave in a file, for which the person has said what it is for. */
    exported: (userId: string, kind: LeadKind, ids: readonly string[], purpose: string) =>
      readers.of(userId).carry(kind, ids, purpose),
    /** The person searches; what is typed on from the search before is the same one. */
    searched: (userId: string, text: string | undefined) => {
      if (text !== undefined) readers.of(userId).search(text)
    },
    /** The person has the lead before them; `isLogged` where the log has an entry of its own for it. */
    opened: (userId: string, { kind, id }: LeadRef, { isLogged = false } = {}) => {
      const isNew = readers.of(userId).open(`${kind} ${id}`, now())
      if (!isNew || isLogged || !isStorableText(id)) return
      waiting.openings.push({ userId, at: now(), kind, id, address: askingAddress() })
    },
    /** Whether the person is to be asked why they read so much. */
    asks: questions.asks,
    /** They have answered, or do so later. */
    answered: questions.answered,
    later: questions.later,
  }
}

/** Writes what was counted until now; what cannot be written waits on. Answers whether it could. */
async function writeWaiting(
  options: ReadingOptions,
  readers: ReturnType<typeof createReaders>,
  waiting: { openings: Opening[] },
): Promise<boolean> {
  const counted = readers.take()
  const { openings } = waiting
  waiting.openings = []
  try {
    await writeAll(options, counted, openings)
    return true
  } catch (err) {
    readers.giveBack(counted)
    waiting.openings = [...openings, ...waiting.openings].slice(-MOST_WAITING)
    options.logger.warn({ err }, 'what was read could not be written; the next round tries again')
    return false
  }
}

async function writeAll(
  { connect, activity, seal, limits, now }: ReadingOptions,
  counted: readonly Counted[],
  openings: readonly Opening[],
): Promise<void> {
  if (counted.length + openings.length === 0) return
  const known = await limits()
  const db = await connect()
  await db.transaction(async (tx) => {
    await addToHours(tx, counted)
    await enterOpenings(tx, openings)
    await markUnusual(tx, { activity, seal }, counted, { limits: known, now: now() })
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

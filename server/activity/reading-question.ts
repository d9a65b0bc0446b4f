import 'server-only'
import type { PersonsHour, ReadingAnswer, ReadingQuestion } from '@/lib/contract/reading'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/people'
import type { Reading } from './reading'
import { explainHours, hourOf, unusualHours } from './reading-hours'

type Parts = { connect: Connect; seal: Seal; now: () => number }

/** The hours in which the viewer read more than usual and has not said why. */
export async function readingQuestion({ connect, seal, now }: Parts, viewer: Viewer): Promise<ReadingQuestion> {
  const rows = await unusualHours(await connect(), now(), viewer.id)
  return { hours: rows.filter(({ sealedReason }) => sealedReason === null).map((row) => hourOf(row, seal)) }
}

/** Keeps why, enciphered, for all of those hours; or puts the question off for a quarter of an hour. */
export async function answerReadingQuestion(
  parts: Parts & CommandParts & { reading: Pick<Reading, 'answered' | 'later'> },
  viewer: Viewer,
  answer: ReadingAnswer,
): Promise<{ explained: number }> {
  const { seal, now, reading } = parts
  if ('later' in answer) {
    reading.later(viewer.id)
    return { explained: 0 }
  }
  const explained = await command(parts, viewer, 'signed-in', async (tx, log) => {
    const count = await explainHours(tx, seal, { userId: viewer.id, now: now(), reason: answer.reason })
    if (count > 0) await log({ action: 'reading-explained', details: { count } })
    else log.nothing()
    return count
  })
  reading.answered(viewer.id)
  return { explained }
}

/** Who read more than usual in the last seven days, and why, newest first. */
export async function unusualReading(
  { connect, seal, now }: Parts,
  _viewer: Allowed<'admin'>,
): Promise<{ hours: PersonsHour[] }> {
  const db = await connect()
  const rows = await unusualHours(db, now())
  const names = await userNames(
    db,
    rows.map(({ userId }) => userId),
  )
  const user = (id: string) => ({ id, name: names.get(id) ?? '' })
  return { hours: rows.map((row) => ({ ...hourOf(row, seal), user: user(row.userId) })) }
}

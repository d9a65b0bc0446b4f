import 'server-only'
import type { Seal } from '@/server/seal'
import type { LoggedBatch } from './write-triage'

/** How long a change can be taken back. */
export const UNDOABLE_MS = 24 * 3_600_000

/** Names a batch of changes by where the activity log has it; sealed, so that only the same person can hand it in. */
export const undoToken = {
  make: (seal: Seal, userId: string, logged: LoggedBatch | null, attempt: NamedAttempt | null = null) => {
    const batch = logged && `${logged.first}-${logged.last}-${logged.at.getTime()}`
    const tried = attempt && `a${attempt.id}-${attempt.at.getTime()}`
    return seal.close([batch, tried].filter((part) => part !== null).join(' '), placeOf(userId))
  },
  /** Null for what is no token of this person. */
  read: (seal: Seal, userId: string, token: string): Named | null => {
    const match = TOKEN.exec(seal.open(token, placeOf(userId)) ?? '')
    if (match === null) return null
    const [, first, last, at, id, triedAt] = match
    return {
      logged: at === undefined ? null : { first: Number(first), last: Number(last), at: new Date(Number(at)) },
      attempt: id === undefined ? null : { id: Number(id), at: new Date(Number(triedAt)) },
    }
  },
}

/** A range of the log, an attempt, or both. */
const TOKEN = /^(?=.)(?:(\d{1,15})-(\d{1,15})-(\d{1,15}))? ?(?:a(\d{1,15})-(\d{1,15}))?$/

/** An attempt that is taken back with the batch, or alone. */
type NamedAttempt = { id: number; at: Date }
type Named = { logged: LoggedBatch | null; attempt: NamedAttempt | null }

const placeOf = (userId: string) => `undo ${userId}`

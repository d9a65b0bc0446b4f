import 'server-only'
import type { Seal } from '@/server/secrets/seal'
import type { LoggedBatch } from './restore-batch'

/** Names a batch of changes by where the activity log has it; sealed, so that only the same person can hand it in. */
export const undoToken = {
  make: (seal: Seal, userId: string, { first, last, at }: LoggedBatch) =>
    seal.close(`${first}-${last}-${at.getTime()}`, placeOf(userId)),
  /** Null for what is no token of this person. */
  read: (seal: Seal, userId: string, token: string): LoggedBatch | null => {
    const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(seal.open(token, placeOf(userId)) ?? '')
    return match && { first: Number(match[1]), last: Number(match[2]), at: new Date(Number(match[3])) }
  },
}

const placeOf = (userId: string) => `undo ${userId}`

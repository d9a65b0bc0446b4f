import { z } from 'zod'
import { DAY_MS } from '@/lib/time/durations'
import type { Viewer } from '@/server/access/viewer'
import { ConflictError, InvalidInputError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'

const UNDO_TTL_MS = DAY_MS

const undoableSchema = z.object({
  logged: z.object({ first: z.int(), last: z.int(), at: z.coerce.date() }).nullable(),
  attempt: z.object({ id: z.int(), at: z.coerce.date() }).nullable(),
})

/** Names a batch by its range in the log, an attempt, or both; encrypted, so that only the same user can use it. */
export function createUndoToken({ seal }: Services, { id }: Viewer, undoable: z.infer<typeof undoableSchema>) {
  return seal.encrypt(JSON.stringify(undoable), `undo of ${id}`)
}

/** Throws InvalidInputError for another user's token, ConflictError after a day or if another release made it. */
export function readUndoToken({ seal, now }: Services, { id }: Viewer, token: string) {
  const text = seal.decrypt(token, `undo of ${id}`)
  if (text === null) throw new InvalidInputError('undo')
  const { logged = null, attempt = null } = undoableSchema.safeParse(JSON.parse(text)).data ?? {}
  const madeAt = (attempt ?? logged)?.at.getTime() ?? -Infinity
  if (madeAt < now() - UNDO_TTL_MS) throw new ConflictError('This was too long ago to be undone')
  return { logged, attempt }
}

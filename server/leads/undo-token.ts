import 'server-only'
import { z } from 'zod'
import type { Seal } from '@/server/base/seal'

export const UNDOABLE_MS = 24 * 3_600_000

const undoableSchema = z.object({
  logged: z.object({ first: z.int(), last: z.int(), at: z.coerce.date() }).nullable(),
  attempt: z.object({ id: z.int(), at: z.coerce.date() }).nullable(),
})

/** Names a batch by its range in the log, and an attempt. It is encrypted, so that only the same user can use it. */
export const undoToken = {
  make: (seal: Seal, userId: string, undoable: z.infer<typeof undoableSchema>): string =>
    seal.encrypt(JSON.stringify(undoable), `undo of ${userId}`),
  read: (seal: Seal, userId: string, token: string) => {
    const text = seal.decrypt(token, `undo of ${userId}`)
    return text === null ? null : undoableSchema.parse(JSON.parse(text))
  },
}

import { z } from 'zod'
import { problemKindSchema, snapshotSchema } from './snapshot'

/** `GET /api/status`: how fresh each list is (null: never fetched yet), what is wrong, and what of the hour is spent. */
export const statusSchema = z.object({
  mode: z.enum(['demo', 'connected']),
  /** The server's clock, which all the other moments are told by. */
  now: z.string(),
  lists: z.object({
    'asked-questions': snapshotSchema.nullable(),
    'declarations-of-interest': snapshotSchema.nullable(),
    'high-schools': snapshotSchema.nullable(),
  }),
  /** Also of a list that has never been fetched. */
  problems: z.array(z.object({ kind: problemKindSchema, since: z.string(), retryAt: z.string().nullable() })),
  budget: z.object({ spentThisHour: z.int(), perHour: z.int() }),
})
export type Status = z.infer<typeof statusSchema>

import { z } from 'zod'

/** `GET /api/events`, event `changed`: a list has another version now. No personal data. */
export const changedEventSchema = z.object({
  list: z.enum(['asked-questions', 'declarations-of-interest', 'high-schools']),
  version: z.int(),
})
export type ChangedEvent = z.infer<typeof changedEventSchema>

import { z } from 'zod'
import { leadListSchema } from './lead'

/**
 * A list that suddenly shrank by more than a tenth: what is kept about the leads that went is not purged until an administrator
 * agrees. `before` and `now` are sizes of the list, `since` is ISO 8601.
 */
export const purgeHoldSchema = z.object({
  list: leadListSchema,
  before: z.int(),
  now: z.int(),
  since: z.string(),
})
export type PurgeHold = z.infer<typeof purgeHoldSchema>

/** `GET /api/purge-holds`, administrators. */
export type PurgeHoldsAnswer = { holds: PurgeHold[] }

/** `POST /api/purge-holds`: the administrator agrees that the list is right. Answers the holds that are left. */
export const purgeAgreementSchema = z.strictObject({ list: leadListSchema })

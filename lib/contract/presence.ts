import { z } from 'zod'
import { leadRefSchema } from './lead'

/** `POST /api/presence`, from each open tab every 10 s and at every change: the lead that is open there, or null. */
export const presenceSchema = z.strictObject({ tab: z.uuid(), lead: leadRefSchema.nullable() })
export type Presence = z.infer<typeof presenceSchema>

/** Who else has the lead open; each person once. */
export type PresenceAnswer = { others: { id: string; name: string }[] }

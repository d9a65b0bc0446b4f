import { z } from 'zod'
import { leadListSchema, leadRefSchema } from './lead'

/** `GET /api/events`, event `changed`: a list has another version now. No personal data. */
export const changedEventSchema = z.object({
  list: z.enum(['asked-questions', 'declarations-of-interest', 'high-schools']),
  version: z.int(),
})
export type ChangedEvent = z.infer<typeof changedEventSchema>

/** Event `triage`: somebody changed status or assignee of leads of this list; what one shows of it is asked for again. */
export const triageEventSchema = z.object({ list: leadListSchema, by: z.string() })
export type TriageEvent = z.infer<typeof triageEventSchema>

/** Event `lead`: notes of this lead, or who has it open, changed. Only to those who may see the lead. */
export const leadEventSchema = leadRefSchema.extend({ what: z.enum(['notes', 'presence']) })
export type LeadEvent = z.infer<typeof leadEventSchema>

import { z } from 'zod'
import { type LeadList, leadRefSchema } from './lead'
import type { FeedList } from './lists'

/** `GET /api/events`, event `changed`: a list has another version now. No personal data. */
export type ChangedEvent = { list: FeedList; version: number }

/** Event `triage`: somebody changed status or assignee of leads of this list; what one shows of it is asked for again. */
export type TriageEvent = { list: LeadList; by: string }

/** Event `lead`: notes of this lead, or who has it open, changed. Only to those who may see the lead. */
export const leadEventSchema = leadRefSchema.extend({ what: z.enum(['notes', 'presence']) })
export type LeadEvent = z.infer<typeof leadEventSchema>

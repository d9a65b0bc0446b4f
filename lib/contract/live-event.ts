import { z } from 'zod'
import type { Declared } from './endpoint'
import type { Status } from './feed-status'
import { type LeadList, leadRefSchema } from './lead'
import type { FeedList } from './lists'

/**
 * Event `changed`: a list has another version now; of lists of leads never told to managers. No personal data. Events without data are `beat`, now
 * and then, and `rest`, the last of a stream that gave way to a newer one of the same person.
 */
export type ChangedEvent = {
  list: FeedList
  version: number
  /** Whether anything in the person's reach is other than before; else there is nothing to ask for. */
  yours: boolean
  /** When to ask, so that a thousand browsers are spread out: ms from now. */
  askInMs: number
}

/** Event `status`: what `GET /api/status` answers, at the beginning of a stream and after each fetch. */
export type StatusEvent = Status

/** Event `counts`: how many leads in reach a list has now, and for how many of each school somebody has to answer. */
export type CountsEvent = {
  list: LeadList
  total: number
  /** By school; those that are absent are as they were before, or without any if this is the whole. */
  unhandled: Readonly<Record<string, number>>
  isWhole: boolean
}

/** Event `triage`: somebody changed status or assignee of leads of this list; what one shows of it is asked for again. */
export type TriageEvent = {
  list: LeadList
  by: string
  /** When to ask: ms from now. */
  askInMs: number
}

/** Event `lead`: notes of this lead, or who has it open, changed. Only to those who may see the lead. */
export const leadEventSchema = leadRefSchema.extend({ what: z.enum(['notes', 'presence']) })
export type LeadEvent = z.infer<typeof leadEventSchema>

/** Event `handover`, the last of a stream whose instance ends: when to come back, in ms from now, each at another moment. */
export type HandoverEvent = { backInMs: number }

export const eventEndpoints = {
  'GET /api/events': {
    what: 'Server-sent events of what changed, without personal data: `changed`, `status`, `counts`, `triage`, `lead`, `beat`, `rest`, `handover`.',
    who: 'interest:read',
    content: ['text/event-stream'],
  },
} satisfies Declared

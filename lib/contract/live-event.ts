import { z } from 'zod'
import { type Declared, endpoint } from './endpoint'

import { type LeadList, leadRefSchema } from './lead'
import type { FeedList } from './lists'

/** Not sent to managers for lists of leads. `status` has what `GET /api/status` answers; `beat`, and `rest`, the last event of a stream, have nothing. */
export type ChangedEvent = {
  list: FeedList
  version: number
  /** Whether anything in the user's scope changed. */
  yours: boolean
  askInMs: number
}

/** `triage`: status or assignee of leads of this list changed. */
export type TriageEvent = { list: LeadList; by: string; askInMs: number }

/** `lead`: its notes or viewers changed. Only for users who may see it. */
export const leadEventSchema = leadRefSchema.extend({ what: z.enum(['notes', 'presence']) })
export type LeadEvent = z.infer<typeof leadEventSchema>

/** `handover`: the instance ends; reconnect in so many ms. */
export type HandoverEvent = { backInMs: number }

export const eventEndpoints = {
  'GET /api/events': endpoint(
    'interest:read',
    'Server-sent events without personal data: `changed`, `status`, `triage`, `lead`, `beat`, `rest`, `handover`.',
    { content: ['text/event-stream'] },
  ),
} satisfies Declared

import { z } from 'zod'
import { endpoint } from './endpoint'
import { type LeadList, leadRefSchema } from './lead'
import type { FeedList } from './lists'

/** `changed`: a list has a new version. Managers get it for the list of schools only. */
export type ChangedEvent = {
  list: FeedList
  version: number
  /** The change is in the user's scope. */
  yours: boolean
  /** The tab asks for the change after this time, so that not all ask at once. */
  askInMs: number
}

/** `triage`: the status or assignee of leads of this list has changed. */
export type TriageEvent = { list: LeadList; by: string; askInMs: number }

/** `lead`: notes or viewers of a lead have changed. Only users who may see the lead get it. */
export const leadChangedEventSchema = leadRefSchema.extend({ what: z.enum(['notes', 'presence']) })
export type LeadChangedEvent = z.infer<typeof leadChangedEventSchema>

/** `handover`: the instance ends. The tab reconnects after `backInMs`. */
export type HandoverEvent = { backInMs: number }

/** `status` has the answer of `GET /api/status`; `beat` is empty. */
export const eventEndpoints = {
  'GET /api/events': endpoint(
    'interest:read',
    'Server-sent events without personal data: `changed`, `status`, `triage`, `lead`, `beat`, `handover`.',
    { responseTypes: ['text/event-stream'] },
  ),
}

import 'server-only'
import { z } from 'zod'
import { leadListSchema } from '@/lib/contract/lead'
import { type ChangedEvent, leadEventSchema } from '@/lib/contract/live-event'

/** Who changed the triage of leads of which schools. */
const triageByOneSchema = z.object({ by: z.string(), schools: z.array(z.string()) })
export type TriageByOne = z.infer<typeof triageByOneSchema>

/** What happens at the desk, with the schools it concerns: they decide who is told, and are not told themselves. */
export const deskEventSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('triage'), list: leadListSchema, changes: z.array(triageByOneSchema) }),
  z.object({ name: z.literal('lead'), school: z.string(), lead: leadEventSchema }),
  /** What somebody may see has changed; told to nobody, but their open streams look again. */
  z.object({ name: z.literal('person'), userId: z.string() }),
])
export type DeskEvent = z.infer<typeof deskEventSchema>

/** Everything a live stream may tell. */
export type HubEvent = DeskEvent | { name: 'changed'; change: ChangedEvent }

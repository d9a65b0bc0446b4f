import 'server-only'
import { z } from 'zod'
import { type LeadKind, type LeadList, type LeadRef, leadListSchema } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { type LeadEvent, leadEventSchema } from '@/lib/contract/live-event'
import type { RedisMessages } from '@/server/db/redis-connections'
import { createRedisBridge } from './redis-bridge'

export type Announcer = {
  /** Somebody changed status or assignee of leads of these schools. */
  triage: (kind: LeadKind, by: string, schools: Iterable<string>) => void
  /** Role, schools or sessions of somebody have changed. Resolves when no instance takes them for who they were any more. */
  person: (userId: string) => Promise<void>
  /** Somebody's identity is protected, or is so for others. Resolves when every instance shows their leads accordingly. */
  protections: () => Promise<void>
  /** What counts as work has changed. Resolves when every instance knows. */
  work: () => Promise<void>
  /** The same to this instance only: the day has turned, which each sees by itself. */
  workLocally: () => void
  lead: (lead: LeadRef, school: string, what: LeadEvent['what']) => void
  /** The same to the browsers of this instance only: the others learn of it themselves. */
  leadLocally: (lead: LeadRef, school: string, what: LeadEvent['what']) => void
  /** Subscribes to the events of the other instances. */
  connect: () => void
  /** Whether every change that another instance makes is told here now. */
  isTold: () => boolean
}

export type AnnouncerOptions = {
  /** Tells the browsers of this instance. */
  publish: (event: DeskEvent) => void
  redis: RedisMessages | null
  /** Runs it after so many milliseconds. */
  schedule: (delayMs: number, run: () => void) => void
  /** What is kept in memory of the database: told of each event before any browser is, and at once. */
  memory?: { onEvent: (event: DeskEvent) => void; onGap: () => void }
  /** How long (ms) the others go on with what they know if they cannot be told. */
  knownHoldsMs?: number
}

/** Announces what the staff did to every browser of every instance. */
export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const { publish, redis, schedule, memory, knownHoldsMs = 0 } = options
  const toBrowsers = batchTriage(publish, schedule)
  const here = (event: DeskEvent) => {
    memory?.onEvent(event)
    toBrowsers(event)
  }
  const others = createRedisBridge({
    redis,
    channel: 'intag:desk',
    schema: deskEventSchema,
    onMessage: here,
    ...(memory && { onGap: memory.onGap }),
  })
  const everywhere = (event: DeskEvent): Promise<boolean> => {
    here(event)
    return others.send(event)
  }
  const untilKnown = async (event: DeskEvent): Promise<void> => {
    if (await everywhere(event)) return
    await new Promise<void>((resolve) => schedule(knownHoldsMs, resolve))
  }
  const aboutLead = ({ kind, id }: LeadRef, school: string, what: LeadEvent['what']): DeskEvent => ({
    name: 'lead',
    school,
    lead: { kind, id, what },
  })
  return {
    triage: (kind, by, schools) =>
      void everywhere({ name: 'triage', list: LISTS_BY_KIND[kind].list, changes: [{ by, schools: [...schools] }] }),
    person: (userId) => untilKnown({ name: 'person', userId }),
    protections: () => untilKnown({ name: 'protections' }),
    work: () => untilKnown({ name: 'work' }),
    workLocally: () => here({ name: 'work' }),
    lead: (lead, school, what) => void everywhere(aboutLead(lead, school, what)),
    leadLocally: (lead, school, what) => here(aboutLead(lead, school, what)),
    connect: others.connect,
    isTold: others.isListening,
  }
}

const BATCH_MS = 1_000

/**
 * Publishes triage at most once a second for each list, with everything since: a thousand changes by fifty people must not
 * make every browser ask a thousand times. All other events pass at once.
 */
function batchTriage(
  publish: (event: DeskEvent) => void,
  schedule: AnnouncerOptions['schedule'],
): (event: DeskEvent) => void {
  const waiting = new Map<LeadList, Map<string, Set<string>>>()
  return (event) => {
    if (event.name !== 'triage') return publish(event)
    const { list, changes } = event
    const batch = waiting.get(list) ?? new Map<string, Set<string>>()
    for (const { by, schools } of changes) batch.set(by, new Set([...(batch.get(by) ?? []), ...schools]))
    if (waiting.has(list)) return
    waiting.set(list, batch)
    schedule(BATCH_MS, () => {
      waiting.delete(list)
      const all = Array.from(batch, ([by, schools]) => ({ by, schools: [...schools] }))
      publish({ name: 'triage', list, changes: all })
    })
  }
}

export type Hub<Event> = {
  publish: (event: Event) => void
  /** Answers what unsubscribes. */
  subscribe: (listener: Subscriber<Event>) => () => void
  /** Ends every subscription, now and later ones: the server is shutting down. */
  close: () => void
  size: () => number
}

/** Whose turn it is to hear of something, of how many: a thousand subscribers need not all act in the same moment. */
export type Turn = { place: number; of: number }
type Subscriber<Event> = { onEvent: (event: Event, turn: Turn) => void; onClose: () => void }

/** Publishes events within this process. */
export function createHub<Event>(): Hub<Event> {
  const subscribers = new Set<Subscriber<Event>>()
  let closed = false
  return {
    publish: (event) => {
      let place = 0
      for (const subscriber of subscribers) subscriber.onEvent(event, { place: place++, of: subscribers.size })
    },
    subscribe: (subscriber) => {
      if (closed) subscriber.onClose()
      else subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    close: () => {
      closed = true
      for (const subscriber of subscribers) subscriber.onClose()
      subscribers.clear()
    },
    size: () => subscribers.size,
  }
}

/** That one person changed the triage of leads of these schools. */
const triageChangeSchema = z.object({ by: z.string(), schools: z.array(z.string()) })
export type TriageChange = z.infer<typeof triageChangeSchema>

/** What the staff did, with the schools it concerns: they decide who receives the event, and are not sent along. */
const deskEventSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('triage'), list: leadListSchema, changes: z.array(triageChangeSchema) }),
  z.object({ name: z.literal('lead'), school: z.string(), lead: leadEventSchema }),
  /** What somebody may see has changed; sent to nobody, but their open streams check their access again. */
  z.object({ name: z.literal('person'), userId: z.string() }),
  /** Who is shown the identity of whom has changed: every list may read otherwise. Says nothing of whom. */
  z.object({ name: z.literal('protections') }),
  /** What counts as work is other than before: every list may read otherwise. */
  z.object({ name: z.literal('work') }),
])
export type DeskEvent = z.infer<typeof deskEventSchema>

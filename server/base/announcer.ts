import { z } from 'zod'
import { type LeadKind, type LeadList, leadListSchema, type LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadChangedEventSchema } from '@/lib/contract/live-event'
import type { InstanceEvents } from './instance-events'

/** `onGap` is called when events of other instances may have been missed. */
type CacheListener = { onEvent: (event: DeskEvent) => void; onGap: () => void }

const BATCH_MS = 1_000

/** Announces what staff change to every instance: to its caches of database rows, then to its browsers. */
export function createAnnouncer(options: {
  events: Pick<InstanceEvents, 'registerTopic'>
  schedule: (delayMs: number, run: () => void) => void
  cacheTtlMs?: number
}) {
  const { events, schedule, cacheTtlMs = 0 } = options
  const caches: CacheListener[] = []
  const browserPublishers: ((event: DeskEvent) => void)[] = []
  const batchByList = new Map<LeadList, Map<string, Set<string>>>()
  // Changes of triage reach browsers in batches, so that a thousand of them make a browser fetch once.
  const publishLocally = (event: DeskEvent): void => {
    for (const cache of caches) cache.onEvent(event)
    if (event.name !== 'triage') return browserPublishers.forEach((publish) => publish(event))
    const { list, changes } = event
    const batch = batchByList.get(list) ?? new Map<string, Set<string>>()
    for (const { userId, schools } of changes) batch.set(userId, new Set([...(batch.get(userId) ?? []), ...schools]))
    if (batchByList.has(list)) return
    batchByList.set(list, batch)
    schedule(BATCH_MS, () => {
      batchByList.delete(list)
      const batchedChanges = Array.from(batch, ([userId, schools]) => ({ userId, schools: [...schools] }))
      for (const publish of browserPublishers) publish({ name: 'triage', list, changes: batchedChanges })
    })
  }
  const send = events.registerTopic('desk', {
    schema: deskEventSchema,
    onMessage: publishLocally,
    onGap: () => caches.forEach((cache) => cache.onGap()),
  })
  const publishToAll = (event: DeskEvent): Promise<boolean> => {
    publishLocally(event)
    return send(event)
  }
  const publishUntilApplied = async (event: DeskEvent): Promise<void> => {
    if (await publishToAll(event)) return
    await new Promise<void>((resolve) => schedule(cacheTtlMs, resolve))
  }
  const toLeadEvent = ({ kind, id }: LeadRef, school: string, what: 'notes' | 'presence'): DeskEvent => {
    return { name: 'lead', school, lead: { kind, id, what } }
  }
  return {
    registerCache: (cache: CacheListener): void => void caches.push(cache),
    registerBrowsers: (publish: (event: DeskEvent) => void): void => void browserPublishers.push(publish),
    announceTriage: (kind: LeadKind, userId: string, schools: Iterable<string>): void => {
      const changes = [{ userId, schools: [...schools] }]
      void publishToAll({ name: 'triage', list: LISTS_BY_KIND[kind].list, changes })
    },
    /** Announces a user's changed access, and resolves when no instance uses a cached copy of it any more. */
    announceUser: (userId: string) => publishUntilApplied({ name: 'person', userId }),
    announceProtections: () => publishUntilApplied({ name: 'protections' }),
    announceWork: () => publishUntilApplied({ name: 'work' }),
    /** Announces a new day to this instance only, because every instance has a clock. */
    announceWorkLocally: () => publishLocally({ name: 'work' }),
    announceNotes: (lead: LeadRef, school: string): void => void publishToAll(toLeadEvent(lead, school, 'notes')),
    /** Announces who has a lead open to this instance only, because every instance gets the heartbeats. */
    announcePresence: (lead: LeadRef, school: string): void => publishLocally(toLeadEvent(lead, school, 'presence')),
  }
}

const triageChangeSchema = z.object({ userId: z.string(), schools: z.array(z.string()) })
export type TriageChange = z.infer<typeof triageChangeSchema>

const deskEventSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('triage'), list: leadListSchema, changes: z.array(triageChangeSchema) }),
  z.object({ name: z.literal('lead'), school: z.string(), lead: leadChangedEventSchema }),
  /** The user's open streams check their access again; no browser receives this event. */
  z.object({ name: z.literal('person'), userId: z.string() }),
  z.object({ name: z.literal('protections') }),
  z.object({ name: z.literal('work') }),
])
export type DeskEvent = z.infer<typeof deskEventSchema>

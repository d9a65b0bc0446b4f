import 'server-only'
import { z } from 'zod'
import { type LeadKind, type LeadList, leadListSchema, type LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { type LeadChangedEvent, leadChangedEventSchema } from '@/lib/contract/live-event'
import type { InstanceEvents } from './instance-events'

export type Announcer = ReturnType<typeof createAnnouncer>

/** A cache of the database. `onGap`: any change of another instance may have been missed. */
type CacheListener = { onEvent: (event: DeskEvent) => void; onGap: () => void }

/** Tells what staff change to the caches and browsers of every instance. */
export function createAnnouncer(options: {
  events: Pick<InstanceEvents, 'topic' | 'isListening'>
  schedule: (delayMs: number, run: () => void) => void
  cacheTtlMs?: number
}) {
  const { events, schedule, cacheTtlMs = 0 } = options
  const caches: CacheListener[] = []
  const browsers: ((event: DeskEvent) => void)[] = []
  const batches = new Map<LeadList, Map<string, Set<string>>>()
  /** Browsers get triage at most once a second for each list: a thousand changes must not make every browser ask as often. */
  const publishLocally = (event: DeskEvent): void => {
    for (const cache of caches) cache.onEvent(event)
    if (event.name !== 'triage') return browsers.forEach((publish) => publish(event))
    const { list, changes } = event
    const batch = batches.get(list) ?? new Map<string, Set<string>>()
    for (const { userId: by, schools } of changes) batch.set(by, new Set([...(batch.get(by) ?? []), ...schools]))
    if (batches.has(list)) return
    batches.set(list, batch)
    schedule(1_000, () => {
      batches.delete(list)
      const all = Array.from(batch, ([by, schools]) => ({ by, schools: [...schools] }))
      for (const publish of browsers) publish({ name: 'triage', list, changes: all })
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
  const toLeadEvent = ({ kind, id }: LeadRef, school: string, what: LeadChangedEvent['what']): DeskEvent => ({
    name: 'lead',
    school,
    lead: { kind, id, what },
  })
  return {
    /** Caches hear each event before any browser. */
    registerCache: (cache: CacheListener): void => void caches.push(cache),
    registerBrowsers: (publish: (event: DeskEvent) => void): void => void browsers.push(publish),
    announceTriage: (kind: LeadKind, by: string, schools: Iterable<string>): void =>
      void publishToAll({ name: 'triage', list: LISTS_BY_KIND[kind].list, changes: [{ userId: by, schools: [...schools] }] }),
    /** Role, schools or sessions have changed. Resolves when no instance uses what it cached of the user. */
    announceUser: (userId: string) => publishUntilApplied({ name: 'person', userId }),
    /** Resolves when every instance shows the leads of protected persons accordingly. */
    announceProtections: () => publishUntilApplied({ name: 'protections' }),
    /** What counts as work has changed. Resolves when every instance knows. */
    announceWork: () => publishUntilApplied({ name: 'work' }),
    /** To this instance only: each sees by itself that the day has turned. */
    announceWorkLocally: () => publishLocally({ name: 'work' }),
    announceLead: (lead: LeadRef, school: string, what: LeadChangedEvent['what']): void =>
      void publishToAll(toLeadEvent(lead, school, what)),
    /** To browsers of this instance only: other instances learn of it themselves. */
    announceLeadLocally: (lead: LeadRef, school: string, what: LeadChangedEvent['what']): void =>
      publishLocally(toLeadEvent(lead, school, what)),
    /** Whether every change of another instance arrives here now. */
    isListening: events.isListening,
  }
}

export type Hub<Event> = ReturnType<typeof createHub<Event>>

type Subscriber<Event> = {
  /** Answers true where the event makes the subscriber act; `place` counts those before it that do, who need not act in the same moment. */
  onEvent: (event: Event, actedBefore: number) => boolean | void
  onClose: () => void
}

export function createHub<Event>() {
  const subscribers = new Set<Subscriber<Event>>()
  let closed = false
  return {
    publish: (event: Event): void => {
      let place = 0
      for (const subscriber of subscribers) if (subscriber.onEvent(event, place) === true) place++
    },
    subscribe: (subscriber: Subscriber<Event>): (() => void) => {
      if (closed) subscriber.onClose()
      else subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    /** Later ones too: the server is shutting down. */
    close: (): void => {
      closed = true
      for (const subscriber of subscribers) subscriber.onClose()
      subscribers.clear()
    },
    size: (): number => subscribers.size,
  }
}

const triageChangeSchema = z.object({ userId: z.string(), schools: z.array(z.string()) })
export type TriageChange = z.infer<typeof triageChangeSchema>

const deskEventSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('triage'), list: leadListSchema, changes: z.array(triageChangeSchema) }),
  z.object({ name: z.literal('lead'), school: z.string(), lead: leadChangedEventSchema }),
  /** Not sent to browsers: the user's open streams check their access again. */
  z.object({ name: z.literal('person'), userId: z.string() }),
  z.object({ name: z.literal('protections') }),
  z.object({ name: z.literal('work') }),
])
export type DeskEvent = z.infer<typeof deskEventSchema>

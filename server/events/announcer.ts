import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { LeadEvent } from '@/lib/contract/live-event'
import { listOf } from '@/lib/leads/list-of'
import { type DeskEvent, deskEventSchema, type HubEvent } from './desk-event'
import { gatherTriage } from './gather-triage'
import type { Hub } from './hub'
import { type Bridge, createRedisBridge } from './redis-bridge'
import type { RedisConnections } from '@/server/redis/redis-connections'

export type Announcer = {
  /** Somebody changed status or assignee of leads of these schools. */
  triage: (kind: LeadKind, by: string, schools: Iterable<string>) => void
  /** Role, schools or sessions of somebody have changed. */
  person: (userId: string) => void
  lead: (lead: LeadRef, school: string, what: LeadEvent['what']) => void
  /** The same to the browsers of this instance only: the others notice by themselves. */
  leadHere: (lead: LeadRef, school: string, what: LeadEvent['what']) => void
  /** Hears the other instances from now on. */
  connect: () => void
}

export type AnnouncerOptions = {
  hub: Hub<HubEvent>
  redis: Pick<RedisConnections, 'commands' | 'subscriber'> | null
  schedule: (delayMs: number, run: () => void) => void
}

/** Tells every browser of every instance what happened at the desk. */
export function createAnnouncer({ hub, redis, schedule }: AnnouncerOptions): Announcer {
  const here = gatherTriage({ tell: hub.publish, schedule })
  let others: Bridge<DeskEvent> = { send: () => {} }
  const everywhere = (event: DeskEvent) => {
    here(event)
    others.send(event)
  }
  const aboutLead = ({ kind, id }: LeadRef, school: string, what: LeadEvent['what']): DeskEvent => ({
    name: 'lead',
    school,
    lead: { kind, id, what },
  })
  return {
    triage: (kind, by, schools) =>
      everywhere({ name: 'triage', list: listOf(kind), changes: [{ by, schools: [...schools] }] }),
    person: (userId) => everywhere({ name: 'person', userId }),
    lead: (lead, school, what) => everywhere(aboutLead(lead, school, what)),
    leadHere: (lead, school, what) => here(aboutLead(lead, school, what)),
    connect: () => {
      if (redis === null) return
      others = createRedisBridge({ ...redis, channel: 'intag:desk', schema: deskEventSchema, onMessage: here })
    },
  }
}

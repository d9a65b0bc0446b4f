import 'server-only'
import { z } from 'zod'
import type { Presence, PresenceAnswer } from '@/lib/contract/notes'
import { type LeadRef, leadRefSchema } from '@/lib/contract/lead'
import type { Allowed } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import type { Connect } from '@/server/db/database'
import type { RedisMessages } from '@/server/db/redis-connections'
import { createRedisBridge } from '@/server/events/redis-bridge'
import { type LeadParts, schoolOfLeadInReach } from '@/server/leads/select-leads'
import { userNames } from '@/server/users/people'

/** Records which lead a tab of the viewer has open, and answers who else has it; NotFoundError for a lead out of reach. */
export async function updatePresence(
  parts: LeadParts & { connect: Connect; presence: PresenceBoard; reading: Pick<Reading, 'opened'> },
  viewer: Allowed<'leads:read'>,
  { tab, lead }: Presence,
): Promise<PresenceAnswer> {
  const { connect, presence, reading } = parts
  const school = lead === null ? '' : await schoolOfLeadInReach(parts, viewer, lead)
  if (lead !== null) reading.opened(viewer.id, lead)
  presence.update({ userId: viewer.id, tab, lead, school })
  const others = lead === null ? [] : presence.peopleAt(lead).filter((id) => id !== viewer.id)
  if (others.length === 0) return { others: [] }
  // Without names there is nobody to show; the next heartbeat asks again.
  const names = await userNames(await connect(), others).catch(() => new Map<string, string>())
  return { others: Array.from(names, ([id, name]) => ({ id, name })) }
}

/** That a person has a lead open in a tab, or nothing any more; `school` is the lead's. */
const heartbeatSchema = z.object({
  userId: z.string(),
  tab: z.string(),
  lead: leadRefSchema.nullable(),
  school: z.string(),
})
type Heartbeat = z.infer<typeof heartbeatSchema>

type PresenceBoard = {
  update: (heartbeat: Heartbeat) => void
  /** Who has the lead open; each person once. */
  peopleAt: (lead: LeadRef) => string[]
  /** Forgets tabs that have gone silent, once a second. */
  sweep: () => void
}

type BoardOptions = {
  now: () => number
  /** Somebody came to this lead or left it. */
  onChange: (lead: LeadRef, school: string) => void
}

/**
 * Who has which lead open, on whichever instance: every instance receives every heartbeat and keeps a board of its own, so
 * that nothing is stored anywhere. `connect` subscribes to the heartbeats of the other instances.
 */
export function createPresence({ redis, ...options }: BoardOptions & { redis: RedisMessages | null }): PresenceBoard & {
  connect: () => void
} {
  const board = createBoard(options)
  const others = createRedisBridge({
    redis,
    channel: 'intag:presence',
    schema: heartbeatSchema,
    onMessage: board.update,
  })
  return {
    peopleAt: board.peopleAt,
    sweep: board.sweep,
    update: (heartbeat) => {
      board.update(heartbeat)
      others.send(heartbeat)
    },
    connect: others.connect,
  }
}

/** A tab that is silent for so long is gone: two of its heartbeats. */
const EXPIRES_MS = 25_000
/** More than anybody opens; keeps a script from filling the memory. */
const MOST_TABS = 50

type Tab = { lead: LeadRef; school: string; until: number }

/** Who has which lead open right now. */
function createBoard({ now, onChange }: BoardOptions): PresenceBoard {
  /** Each person's tabs, the one with the oldest heartbeat first. */
  const people = new Map<string, Map<string, Tab>>()

  const isThere = (userId: string, lead: LeadRef) =>
    [...(people.get(userId)?.values() ?? [])].some((tab) => isSame(tab.lead, lead))

  /** Applies `act` to a person's tabs and reports the leads that the person thereby came to or left. */
  function change(userId: string, concerned: Pick<Tab, 'lead' | 'school'>[], act: (tabs: Map<string, Tab>) => void) {
    const tabs = people.get(userId) ?? new Map<string, Tab>()
    const before = concerned.map(({ lead }) => isThere(userId, lead))
    act(tabs)
    if (tabs.size > 0) people.set(userId, tabs)
    else people.delete(userId)
    concerned.forEach(({ lead, school }, index) => {
      if (isThere(userId, lead) !== before[index]) onChange(lead, school)
    })
  }

  function sweep(): void {
    for (const [userId, tabs] of people) {
      const gone = [...tabs].filter(([, tab]) => tab.until <= now())
      if (gone.length === 0) continue
      change(userId, distinct(gone.map(([, tab]) => tab)), (left) => gone.forEach(([tab]) => left.delete(tab)))
    }
  }

  return {
    update: ({ userId, tab, lead, school }) => {
      const old = people.get(userId)?.get(tab)
      const crowded = old === undefined && (people.get(userId)?.size ?? 0) >= MOST_TABS
      const [oldest] = crowded ? (people.get(userId) ?? []) : []
      const concerned = [old, oldest?.[1], lead && { lead, school }].filter((one) => one !== undefined && one !== null)
      change(userId, distinct(concerned), (tabs) => {
        if (oldest) tabs.delete(oldest[0])
        tabs.delete(tab)
        if (lead) tabs.set(tab, { lead, school, until: now() + EXPIRES_MS })
      })
    },
    peopleAt: (lead) => [...people.keys()].filter((userId) => isThere(userId, lead)),
    sweep,
  }
}

function isSame(a: LeadRef, b: LeadRef): boolean {
  return a.kind === b.kind && a.id === b.id
}

function distinct<T extends { lead: LeadRef }>(ones: T[]): T[] {
  return [...new Map(ones.map((one) => [`${one.lead.kind} ${one.lead.id}`, one])).values()]
}

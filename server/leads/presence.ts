import 'server-only'
import type { Services } from '@/server/base/services'
import { z } from 'zod'
import type { Body } from '@/lib/contract/endpoints'
import { type LeadRef, leadRefSchema } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import type { Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { InstanceEvents } from '@/server/base/instance-events'
import { getLeadTable, findSchoolInScope } from './select-leads'
import { findUserNames } from '@/server/access/users'

/** Who else has the lead open; NotFoundError for a lead out of scope. */
export async function updatePresence(services: Services, viewer: Reader, { tab, lead }: Body<'POST /api/presence'>) {
  const school =
    lead === null ? '' : findSchoolInScope(await getLeadTable(services, viewer, lead.kind), viewer, lead.id)
  if (school === null) throw new NotFoundError()
  services.presence.update({ userId: viewer.id, tab, lead, school })
  const others = lead === null ? [] : services.presence.listUserIds(lead).filter((id) => id !== viewer.id)
  if (others.length === 0) return { others: [] }
  // Without names nobody is shown; the next heartbeat tries again.
  const names = await findUserNames(await services.connect(), others).catch(() => new Map<string, string>())
  return { others: Array.from(names, ([id, name]) => ({ id, name })) }
}

/** `school` is the lead's. */
const heartbeatSchema = z.object({
  userId: z.string(),
  tab: z.string(),
  lead: leadRefSchema.nullable(),
  school: z.string(),
})
type Heartbeat = z.infer<typeof heartbeatSchema>

/** A silent tab is dropped after two missed heartbeats. */
const EXPIRES_MS = 25_000
const MAX_TABS = 50

type Tab = { userId: string; lead: LeadRef; school: string; until: number }

/** Every instance receives every heartbeat and keeps its own board; nothing is stored. */
export function createPresence(
  events: Pick<InstanceEvents, 'topic'>,
  now: () => number,
  onChange: (lead: LeadRef, school: string) => void,
) {
  const tabs = new Map<string, Tab>()
  const isPresent = ({ userId, lead }: Tab) =>
    [...tabs.values()].some((tab) => tab.userId === userId && leadKey(tab.lead) === leadKey(lead))

  /** Reports leads that a user has opened or left by this. */
  function replace(removed: readonly [string, Tab][], added: readonly [string, Tab][]): void {
    const concerned = new Map([...removed, ...added].map(([, tab]) => [`${tab.userId} ${leadKey(tab.lead)}`, tab]))
    const before = Array.from(concerned.values(), (tab) => ({ tab, wasPresent: isPresent(tab) }))
    for (const [key] of removed) tabs.delete(key)
    for (const [key, tab] of added) tabs.set(key, tab)
    for (const { tab, wasPresent } of before) if (isPresent(tab) !== wasPresent) onChange(tab.lead, tab.school)
  }

  function update({ userId, tab, lead, school }: Heartbeat): void {
    const key = `${userId} ${tab}`
    const tabsOfUser = [...tabs].filter(([, { userId: id }]) => id === userId)
    const oldest = tabsOfUser.length >= MAX_TABS && !tabs.has(key) ? tabsOfUser.slice(0, 1) : []
    const before = tabsOfUser.filter(([one]) => one === key)
    replace([...oldest, ...before], lead === null ? [] : [[key, { userId, lead, school, until: now() + EXPIRES_MS }]])
  }

  const send = events.registerTopic('presence', { schema: heartbeatSchema, onMessage: update, isReplaceable: true })
  return {
    update: (heartbeat: Heartbeat): void => {
      update(heartbeat)
      void send(heartbeat)
    },
    listUserIds: (lead: LeadRef): string[] => {
      const atLead = [...tabs.values()].filter((tab) => leadKey(tab.lead) === leadKey(lead))
      return [...new Set(atLead.map(({ userId }) => userId))]
    },
    removeExpired: (): void =>
      replace(
        [...tabs].filter(([, { until }]) => until <= now()),
        [],
      ),
  }
}

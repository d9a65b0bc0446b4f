import { z } from 'zod'
import type { Body } from '@/lib/contract/endpoints'
import { type LeadRef, leadRefSchema } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import { findUserNames } from '@/server/access/users'
import type { Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { BaseServices, Services } from '@/server/base/services'
import { findSchoolInScope, getLeadTable } from './lead-tables'

/** Records which lead a tab has open, and returns who else has. Throws NotFoundError for a lead out of scope. */
export async function updatePresence(services: Services, viewer: Reader, { tab, lead }: Body<'POST /api/presence'>) {
  const school = lead && findSchoolInScope(await getLeadTable(services, viewer, lead.kind), viewer, lead.id)
  if (lead !== null && school === null) throw new NotFoundError()
  services.presence.update({ userId: viewer.id, tab, lead, school: school ?? '' })
  const others = lead === null ? [] : services.presence.listUserIds(lead).filter((id) => id !== viewer.id)
  if (others.length === 0) return { others: [] }
  // If names cannot be read, nobody is shown and the next heartbeat tries again.
  const names = await findUserNames(await services.connect(), others).catch(() => new Map<string, string>())
  return { others: Array.from(names, ([id, name]) => ({ id, name })) }
}

const heartbeatSchema = z.object({
  userId: z.string(),
  tab: z.string(),
  lead: leadRefSchema.nullable(),
  school: z.string(),
})
type Heartbeat = z.infer<typeof heartbeatSchema>

/** Browsers send a heartbeat every ten seconds; a tab that misses two is dropped. */
const HEARTBEAT_TTL_MS = 25_000
const MAX_TABS = 50

type Tab = { userId: string; lead: LeadRef; school: string; expiresAt: number }

/** Tracks which leads are open. Every instance receives every heartbeat; nothing is stored. */
export function createPresence({ events, now }: BaseServices, onChange: (lead: LeadRef, school: string) => void) {
  const tabs = new Map<string, Tab>()
  const listUserIds = (lead: LeadRef) => {
    const atLead = [...tabs.values()].filter((tab) => leadKey(tab.lead) === leadKey(lead))
    return [...new Set(atLead.map(({ userId }) => userId))]
  }

  /** Reports the leads that the tab's user has left and opened, unless another tab of the user has the lead open. */
  function setTab(key: string, tab: Tab | null) {
    const previous = tabs.get(key) ?? null
    tabs.delete(key)
    const involvedTabs = [previous, tab].filter((tabOrNull) => tabOrNull !== null)
    const changedTabs = involvedTabs.filter(({ userId, lead }) => !listUserIds(lead).includes(userId))
    if (tab !== null) tabs.set(key, tab)
    if (previous && tab && leadKey(previous.lead) === leadKey(tab.lead)) return
    for (const { lead, school } of changedTabs) onChange(lead, school)
  }

  function update({ userId, tab, lead, school }: Heartbeat) {
    const key = `${userId} ${tab}`
    const keys = [...tabs].flatMap(([tabKey, { userId: id }]) => (id === userId ? [tabKey] : []))
    const [oldestKey] = keys.length >= MAX_TABS && !tabs.has(key) ? keys : []
    if (oldestKey !== undefined) setTab(oldestKey, null)
    setTab(key, lead && { userId, lead, school, expiresAt: now() + HEARTBEAT_TTL_MS })
  }

  const send = events.registerTopic('presence', { schema: heartbeatSchema, onMessage: update, isReplaceable: true })
  return {
    update: (heartbeat: Heartbeat) => {
      update(heartbeat)
      void send(heartbeat)
    },
    listUserIds,
    removeExpired: () => {
      for (const [key, { expiresAt }] of tabs) if (expiresAt <= now()) setTab(key, null)
    },
  }
}

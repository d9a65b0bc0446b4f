import { z } from 'zod'
import type { Body } from '@/lib/contract/endpoints'
import { type LeadRef, leadRefSchema } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'
import type { Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { BaseServices, Services } from '@/server/base/services'
import { findSchoolInScope, getLeadTable } from './lead-tables'

/** Records which lead a tab has open, and lists its other readers. Throws NotFoundError for a lead out of scope. */
export async function updatePresence(services: Services, viewer: Reader, { tab, lead }: Body<'POST /api/presence'>) {
  const school = lead && findSchoolInScope(await getLeadTable(services, viewer, lead.kind), viewer, lead.id)
  if (lead !== null && school === null) throw new NotFoundError()
  services.presence.update({ userId: viewer.id, tab, lead, school: school ?? '' })
  const otherIds = lead === null ? [] : services.presence.listUserIds(lead).filter((id) => id !== viewer.id)
  const names = await services.readUserNames(otherIds)
  // If a name cannot be read, its user is not shown, and the next heartbeat tries again.
  return { others: Array.from(names, ([id, name]) => ({ id, name })).filter(({ name }) => name !== '') }
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

type Tab = { userId: string; lead: LeadRef; school: string; expiresAt: number }

/** Tracks in memory which leads are open in which tabs. Every instance receives every heartbeat. */
export function createPresence({ events, now }: BaseServices, onChange: (lead: LeadRef, school: string) => void) {
  const tabs = new Map<string, Tab>()
  const listUserIds = (lead: LeadRef) => {
    const tabsAtLead = [...tabs.values()].filter((tab) => leadKey(tab.lead) === leadKey(lead))
    return [...new Set(tabsAtLead.map(({ userId }) => userId))]
  }

  /** Reports the lead that the tab has left, and the one it has opened. */
  function setTab(key: string, tab: Tab | null) {
    const previous = tabs.get(key) ?? null
    if (tab === null) tabs.delete(key)
    else tabs.set(key, tab)
    if (previous && tab && leadKey(previous.lead) === leadKey(tab.lead)) return
    for (const change of [previous, tab]) if (change !== null) onChange(change.lead, change.school)
  }

  const update = ({ userId, tab, lead, school }: Heartbeat) =>
    setTab(`${userId} ${tab}`, lead && { userId, lead, school, expiresAt: now() + HEARTBEAT_TTL_MS })

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

import 'server-only'
import type { Presence, PresenceAnswer } from '@/lib/contract/presence'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { schoolOfLeadInReach } from '@/server/leads/lead-in-reach'
import { services } from '@/server/services'
import { userNames } from '@/server/users/user-names'

/** Notes which lead a tab of the viewer has open, and answers who else has it; NotFoundError for a lead out of reach. */
export async function notePresence(viewer: Viewer, { tab, lead }: Presence): Promise<PresenceAnswer> {
  requirePermission(viewer, 'leads:read')
  const { presence, connect } = services()
  const school = lead === null ? '' : await schoolOfLeadInReach(viewer, lead)
  presence.note({ userId: viewer.id, tab, lead, school })
  const others = lead === null ? [] : presence.peopleAt(lead).filter((id) => id !== viewer.id)
  if (others.length === 0) return { others: [] }
  // Without names there is nobody to show; the next beat asks again.
  const names = await userNames(await connect(), others).catch(() => new Map<string, string>())
  return { others: Array.from(names, ([id, name]) => ({ id, name })) }
}

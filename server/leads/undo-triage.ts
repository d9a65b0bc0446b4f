import 'server-only'
import type { Services } from '@/server/base/services'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { UndoAnswer } from '@/lib/contract/triage'
import type { Viewer, Decider } from '@/server/access/viewer'
import { ConflictError, InvalidInputError } from '@/server/base/errors'
import { leadTables, schoolInReach } from './select-leads'
import { undoAttempt } from './attempts'
import { restoreLogged, UNDOABLE_MS, undoToken } from './restore-triage'
import type { LoggedBatch } from './write-triage'

/** Restores leads that nobody changed since. InvalidInputError for a foreign batch, ConflictError after a day. */
export async function undoTriage(services: Services, viewer: Decider, { undo }: { undo: string }) {
  const leadsOf = undoToken.read(services.seal, viewer.id, undo)
  if (leadsOf === null) throw new InvalidInputError('undo')
  const { logged, attempt } = leadsOf
  const takenBack = attempt && (await undoAttempt(services, viewer, attempt))
  if (logged === null) return takenBack ?? { restored: 0, conflicts: 0 }
  // The lead counts once, whatever was done with it.
  return undoBatch(services, viewer, logged)
}

async function undoBatch(services: Services, viewer: Viewer, logged: LoggedBatch): Promise<UndoAnswer> {
  const tooOld = () => new ConflictError('This was too long ago to be undone')
  if (logged.at.getTime() < services.now() - UNDOABLE_MS) throw tooOld()
  const tables = await leadTables(services, viewer)
  const schoolOf = ({ kind, id }: LeadRef) => schoolInReach(tables[kind], viewer, id)
  const { restored, conflicts } = await restoreLogged(services, viewer, logged, (lead) => schoolOf(lead) !== null)
  if (restored.length + conflicts === 0) throw tooOld()
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(lead) ?? []) : [])))
    if (schools.size > 0) services.announcer.triage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { UndoAnswer } from '@/lib/contract/triage'
import { requirePermission } from '@/server/access/require-permission'
import { maySee, type Viewer } from '@/server/access/viewer'
import { ConflictError, InvalidInputError } from '@/server/errors'
import { leadTable } from '@/server/leads/select-leads'
import { services } from '@/server/services'
import { restoreBatch } from './restore-batch'
import { undoToken } from './undo-token'

const UNDOABLE_MS = 24 * 3_600_000

/**
 * Puts back what stood before a batch of one's own changes, for every lead within reach that nobody has changed since.
 * InvalidInputError for what names no batch of this person, ConflictError after a day.
 */
export async function undoTriage(viewer: Viewer, undo: string): Promise<UndoAnswer> {
  requirePermission(viewer, 'leads:triage')
  const { seal, connect, now, announcer } = services()
  const places = undoToken.read(seal, viewer.id, undo)
  if (places === null) throw new InvalidInputError('undo')
  const schoolOf = await reach(viewer)
  const { restored, conflicts } = await restoreBatch(await connect(), {
    userId: viewer.id,
    ...places,
    since: new Date(now() - UNDOABLE_MS),
    isInReach: ({ kind, id }) => schoolOf(kind, id) !== null,
  })
  if (restored.length + conflicts === 0) throw new ConflictError('This was too long ago to be undone')
  for (const kind of ['asked-question', 'declaration-of-interest'] as const) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(kind, lead.id) ?? []) : [])))
    if (schools.size > 0) announcer.triage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

/** The school of a lead that is there and within the viewer's reach, else null. */
async function reach(viewer: Viewer): Promise<(kind: LeadKind, id: string) => string | null> {
  const tables = {
    'asked-question': await leadTable('asked-question'),
    'declaration-of-interest': await leadTable('declaration-of-interest'),
  }
  return (kind, id) => {
    const table = tables[kind]
    const row = table.rowOf(id)
    const school = row === -1 ? undefined : table.schoolIds[table.school[row] ?? -1]
    return school !== undefined && maySee(viewer, school) ? school : null
  }
}

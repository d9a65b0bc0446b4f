import 'server-only'
import type { LeadRef } from '@/lib/contract/lead'
import { maySee, type Viewer } from '@/server/access/viewer'
import { NotFoundError } from '@/server/errors'
import { leadTable } from './select-leads'

/** The school of a lead that the service has now and the viewer may see; NotFoundError alike for all others. */
export async function schoolOfLeadInReach(viewer: Viewer, { kind, id }: LeadRef): Promise<string> {
  const table = await leadTable(kind)
  const row = table.rowOf(id)
  const school = row === -1 ? undefined : table.schoolIds[table.school[row] ?? -1]
  if (school === undefined || !maySee(viewer, school)) throw new NotFoundError()
  return school
}

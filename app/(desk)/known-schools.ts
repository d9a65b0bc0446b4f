import type { HighSchool } from '@/lib/contract/lead'
import { may, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/base/errors'
import { getServices } from '@/server/base/services'
import { listHighSchools } from '@/server/leads/high-schools'

/** Lists the viewer's schools, or none before the service's first answer, so that the shell can render without them. */
export async function listKnownSchools(viewer: Viewer): Promise<HighSchool[]> {
  if (!may(viewer, 'interest:read')) return []
  try {
    return (await listHighSchools(getServices(), viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

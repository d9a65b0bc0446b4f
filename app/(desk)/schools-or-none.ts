import type { HighSchool } from '@/lib/contract/lead'
import { may, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { listHighSchools } from '@/server/leads/high-schools'
import { services } from '@/server/services'

/** Before the first answer of the service there are none; the shell stands all the same. */
export async function schoolsOrNone(viewer: Viewer): Promise<HighSchool[]> {
  if (!may(viewer, 'interest:read')) return []
  try {
    return (await listHighSchools(services(), viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

import type { HighSchool } from '@/lib/contract/lead'
import { may, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/base/errors'
import { isOutage } from '@/server/base/trouble'
import { listHighSchools } from '@/server/leads/high-schools'
import { services } from '@/server/base/services'

/** Null during a database outage, which the page then shows. */
export async function whileThere<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!isOutage(error)) throw error
    services().logger.warn({ err: error }, 'a page cannot be read')
    return null
  }
}

/** Empty before the service's first answer, so that the shell still renders. */
export async function schoolsOrNone(viewer: Viewer): Promise<HighSchool[]> {
  if (!may(viewer, 'interest:read')) return []
  try {
    return (await listHighSchools(services(), viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

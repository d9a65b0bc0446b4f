import 'server-only'
import type { HighSchoolsAnswer } from '@/lib/contract/lists'
import { requirePermission } from '@/server/access/require-permission'
import { maySee, type Viewer } from '@/server/access/viewer'
import { current } from '@/server/feed/current'
import { services } from '@/server/services'

/** The viewer's schools in Swedish order. Throws NotReadyError while the service has never answered. */
export async function listHighSchools(viewer: Viewer): Promise<HighSchoolsAnswer> {
  requirePermission(viewer, 'interest:read')
  const { content, snapshot } = await current(services().feed.highSchools)
  return { highSchools: content.highSchools.filter((school) => maySee(viewer, school.id)), snapshot }
}

import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import { requirePermission } from '@/server/access/require-permission'
import { maySee, type Viewer } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/errors'
import { services } from '@/server/services'

/**
 * One school. From memory when the list has it; otherwise the service is asked, but only for a school the viewer may see,
 * and not again for an id it did not know a moment ago. Throws NotFoundError, or NotReadyError when it cannot be asked.
 */
export async function getHighSchool(viewer: Viewer, id: string): Promise<HighSchool> {
  requirePermission(viewer, 'interest:read')
  if (!maySee(viewer, id)) throw new NotFoundError()
  const { feed, highSchoolLookup } = services()
  feed.look()
  const listed = feed.highSchools().content?.highSchools.find((school) => school.id === id)
  if (listed) return listed
  const found = await highSchoolLookup(id)
  switch (found.kind) {
    case 'found':
      return found.highSchool
    case 'unknown':
      throw new NotFoundError()
    case 'not-now':
      throw new NotReadyError('The school cannot be looked up right now', found.retryAfterSeconds)
    default:
      return found satisfies never
  }
}

import 'server-only'
import type { Viewer } from './make-viewer'

/** Whether a school is within the viewer's reach; asked for every lead and school that leaves the server. */
export function maySee(viewer: Pick<Viewer, 'schools'>, highSchoolId: string): boolean {
  return viewer.schools === 'all' || viewer.schools.has(highSchoolId)
}

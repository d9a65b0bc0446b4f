import { headers } from 'next/headers'
import { DatabaseAway } from '@/components/shell/database-away'
import { NoAccess } from '@/components/shell/no-access'
import type { Permission, Viewer } from '@/server/access/viewer'
import { askedFrom } from '@/server/activity/asked-from'
import { addressOf } from '@/server/http/front-door'
import { services } from '@/server/services'

/**
 * In place of a page that the viewer's role does not open. It is in the log like a refused route, by the page's pattern and
 * once an hour; what a browser fetches ahead nobody has asked for.
 * Whom the page would be open to while the database is there is told that it is not.
 */
export async function refusedPage(viewer: Viewer, pattern: string, wanted: Permission = 'admin') {
  if (viewer.withheld.has(wanted)) return <DatabaseAway />
  const asked = await headers()
  if (!asked.has('next-router-prefetch')) {
    askedFrom(addressOf({ headers: asked }), () => services().refusals(viewer.id, 'GET', pattern))
  }
  return <NoAccess role={viewer.role} />
}

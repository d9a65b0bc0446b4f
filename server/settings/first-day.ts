import 'server-only'
import { may, type Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { getPreference } from './preferences'
import type { Work } from './work'

type Parts = { connect: Connect; work: Pick<Work, 'settings'> }

/** Whether to show an administrator the welcome: until one of them has chosen from when leads are work, or this one has put it off. */
export async function isFirstDay(parts: Parts, viewer: Viewer): Promise<boolean> {
  if (!may(viewer, 'admin')) return false
  const { work } = await parts.work.settings()
  if (work !== null) return false
  const { value } = await getPreference(parts, viewer, { name: 'welcome' })
  return value === null
}

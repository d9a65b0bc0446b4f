import 'server-only'
import type { DeclarationsQuery } from '@/lib/contract/list-query'
import type { DeclarationsPage } from '@/lib/contract/lists'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { listLeads } from './list-leads'

/** The declarations of interest in the viewer's schools. Throws NotReadyError while the service has never answered. */
export async function listDeclarations(viewer: Viewer, query: DeclarationsQuery): Promise<DeclarationsPage> {
  requirePermission(viewer, 'leads:read')
  const { items, total, snapshot } = await listLeads(
    viewer,
    'declaration-of-interest',
    services().feed.declarations,
    query,
  )
  return { declarationsOfInterest: items, total, snapshot }
}

import 'server-only'
import type { ExportHistory, ExportHistoryQuery } from '@/lib/contract/export'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'

/** The viewer's own exports, newest first. */
export async function exportHistory(viewer: Viewer, query: ExportHistoryQuery): Promise<ExportHistory> {
  requirePermission(viewer, 'leads:export')
  return services().exportLog.history(viewer.id, query)
}

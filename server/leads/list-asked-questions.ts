import 'server-only'
import type { AskedQuestionsQuery } from '@/lib/contract/list-query'
import type { AskedQuestionsPage } from '@/lib/contract/lists'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { listLeads } from './list-leads'

/** The asked questions of the viewer's schools. Throws NotReadyError while the service has never answered. */
export async function listAskedQuestions(viewer: Viewer, query: AskedQuestionsQuery): Promise<AskedQuestionsPage> {
  requirePermission(viewer, 'leads:read')
  const { items, total, snapshot } = await listLeads(viewer, 'asked-question', services().feed.askedQuestions, query)
  return { askedQuestions: items, total, snapshot }
}

import 'server-only'
import type { TriageChange, TriageProgress } from '@/lib/contract/triage'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { ndjsonStream } from '@/server/http/ndjson-stream'
import { carryOut } from './carry-out'
import { triageOrder } from './triage-order'

/**
 * The same as `setTriage`, telling how far it has come: a line of JSON after each part, and at last what it came to.
 * All of it happens or, when the browser goes away meanwhile, nothing.
 */
export async function streamTriage(viewer: Viewer, change: TriageChange, request: Request): Promise<Response> {
  requirePermission(viewer, 'leads:triage')
  const order = await triageOrder(viewer, change)
  const total = order.targets.length
  return ndjsonStream<TriageProgress>(request.signal, async (tell, signal) => {
    tell({ done: 0, total })
    const batch = await carryOut(viewer, order, { signal, onProgress: (done) => tell({ done, total }) })
    tell({ changed: batch.changed.length, conflicts: batch.conflicts.length, undo: batch.undo })
  })
}

/** Whether the browser asks to be told how far it has come. */
export function wantsProgress(request: Request): boolean {
  return request.headers.get('accept')?.includes('application/x-ndjson') === true
}

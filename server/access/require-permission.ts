import 'server-only'
import type { Viewer } from './make-viewer'
import type { Permission } from './permissions'
import { ForbiddenError } from '@/server/errors'

/** The verb's own check, for callers that are not routes. */
export function requirePermission(viewer: Viewer, permission: Permission): void {
  if (!viewer.permissions.has(permission)) throw new ForbiddenError()
}

import { exportPreviewRequestSchema } from '@/lib/contract/export'
import { previewExport } from '@/server/export/export-selection'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route(
  { permission: 'leads:export', body: exportPreviewRequestSchema, load: 'read' },
  ({ services, viewer, body }) => previewExport(services, viewer, body),
)

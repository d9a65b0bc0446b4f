import { exportPreviewRequestSchema } from '@/lib/contract/export'
import { previewExport } from '@/server/export/preview-export'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'leads:export', body: exportPreviewRequestSchema }, ({ viewer, body }) =>
  previewExport(viewer, body),
)

import { previewExport } from '@/server/export/export-selection'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/exports/preview', { POST: previewExport })

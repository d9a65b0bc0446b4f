import { previewExport } from '@/server/export/export-selection'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/exports/preview', { POST: previewExport })

import { previewExport } from '@/server/export/export-selection'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/exports/preview', { POST: previewExport })

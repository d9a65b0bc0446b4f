import type { AccessServices } from '@/server/access/services'
import type { BaseServices } from '@/server/base/services'
import { createExportLog } from './export-log'

declare module '@/server/base/services' {
  interface Services extends ExportServices {}
}

type ExportServices = ReturnType<typeof createExportServices>

export function createExportServices(lower: BaseServices & AccessServices) {
  return { exportLog: createExportLog(lower) }
}

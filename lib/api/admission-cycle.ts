import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { request } from './request'

/** Sets the dates for everyone. */
export function saveAdmissionCycle(cycle: AdmissionCycle): Promise<void> {
  return request('/api/admission-cycle', { method: 'PUT', body: cycle, read: () => undefined })
}

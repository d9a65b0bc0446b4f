import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { request } from './request'

export type StatusChange = { leads: readonly LeadRef[]; status: LeadStatus }

/** Gives the leads a status; the answer's content is not needed, the lists are asked again. */
export function setStatus(change: StatusChange): Promise<void> {
  return request('/api/triage', { method: 'PATCH', body: change, read: () => undefined })
}

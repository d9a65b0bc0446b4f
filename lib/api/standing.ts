import { queryOptions } from '@tanstack/react-query'
import type { OwnLeave, WorkSettings, WorkSettingsChange } from '@/lib/contract/work-settings'
import { request } from './send'
import { shape } from './shape'

const SETTINGS = '/api/settings'
const LEAVE = '/api/account/leave'
const readSettings = shape<WorkSettings>({ calendar: 'array' })
const readLeave = shape<OwnLeave>({})

/** Who stands for which school, and who is on leave. */
export const standingQuery = queryOptions({
  queryKey: ['work-settings'],
  queryFn: ({ signal }) => request(SETTINGS, { read: readSettings, signal }),
})

/** Administrators. What is not given stays. */
export function changeStanding(change: Pick<WorkSettingsChange, 'standing' | 'leave'>): Promise<WorkSettings> {
  return request(SETTINGS, { method: 'PATCH', body: change, read: readSettings })
}

/** One's own leave. */
export const ownLeave = queryOptions({
  queryKey: ['account', 'leave'],
  queryFn: ({ signal }) => request(LEAVE, { read: readLeave, signal }),
})

export function setOwnLeave(until: string | null): Promise<OwnLeave> {
  return request(LEAVE, { method: 'PUT', body: { until }, read: readLeave })
}

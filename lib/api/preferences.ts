import { queryOptions } from '@tanstack/react-query'
import type { Preference, PreferenceName } from '@/lib/contract/preferences'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

/** What the person chose; null when nothing. */
export function preference<Name extends PreferenceName>(name: Name) {
  return queryOptions({
    queryKey: ['preference', name],
    queryFn: ({ signal }) => request(`/api/preferences/${name}`, { read: readValue<Name>, signal }),
    staleTime: Infinity,
  })
}

export function keepPreference<Name extends PreferenceName>(name: Name, value: Preference<Name>): Promise<void> {
  return request(`/api/preferences/${name}`, { method: 'PUT', body: { value }, read: () => undefined })
}

/** The server checked it against the schema of this build. */
function readValue<Name extends PreferenceName>(body: unknown): Preference<Name> | null {
  if (!isAnswer<Name>(body)) throw new ApiError('unreadable', 200)
  return body.value
}

function isAnswer<Name extends PreferenceName>(body: unknown): body is { value: Preference<Name> | null } {
  return isRecord(body) && typeof body['value'] === 'object'
}

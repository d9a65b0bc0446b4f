import { queryOptions } from '@tanstack/react-query'
import type { Preference, PreferenceName } from '@/lib/contract/preferences'
import { nothing, request } from './send'
import { shape } from './shape'

/** What the person chose last; null when nothing. The server checked it against the schema of this build. */
export function preference<Name extends PreferenceName>(name: Name) {
  const read = shape<{ value: Preference<Name> | null }>({ value: 'object' })
  return queryOptions({
    queryKey: ['preference', name],
    queryFn: async ({ signal }) => (await request(`/api/preferences/${name}`, { read, signal })).value,
    staleTime: Infinity,
  })
}

export function savePreference<Name extends PreferenceName>(name: Name, value: Preference<Name>): Promise<void> {
  return request(`/api/preferences/${name}`, { method: 'PUT', body: { value }, read: nothing })
}

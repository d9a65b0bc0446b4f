import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, apiQuery } from '@/lib/api/call'
import type { Preference, PreferenceName } from '@/lib/contract/settings'

/** Returns the user's last choice, or null. A failed save is ignored, because the choice holds on this screen. */
export function usePreference<Name extends PreferenceName>(name: Name) {
  const client = useQueryClient()
  const query = apiQuery('GET /api/preferences/[name]', { params: { name } })
  const { data, isPending } = useQuery({ ...query, staleTime: Infinity })
  return {
    isPending,
    value: (data?.value ?? null) as Preference<Name> | null,
    save: (value: Preference<Name>) => {
      client.setQueryData(query.queryKey, { value })
      api('PUT /api/preferences/[name]', { params: { name }, body: { value } }).catch(() => undefined)
    },
  }
}

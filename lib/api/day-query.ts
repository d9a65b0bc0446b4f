import { api, keyOf } from './call'
import { POLL_MS } from './queries'
import { pollUnlessLive } from './polling'
import { asked } from './send'

export const dayQuery = (schools: readonly string[], isLive: boolean) => ({
  queryKey: keyOf('GET /api/day', { query: { school: schools.toSorted() } }),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    asked(() => api('GET /api/day', { query: { school: schools.toSorted() }, signal })),
  staleTime: 2_000,
  refetchInterval: pollUnlessLive(isLive, () => POLL_MS),
  refetchOnWindowFocus: true,
})

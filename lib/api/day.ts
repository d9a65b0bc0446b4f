import { queryOptions } from '@tanstack/react-query'
import type { Day } from '@/lib/contract/day'
import { DAY_KEY, hardlyWhileLive } from './refresh'
import { queryString, request } from './send'
import { shape } from './shape'

const JUST_ASKED_MS = 2_000
const UNTOLD_MS = 30_000

/** What there is to do today, of these schools; of all in reach where none is named. */
export function dayQuery(schools: readonly string[], isLive: boolean) {
  const read = shape<Day>({ byList: {}, team: 'array', season: {}, mentioned: 'array' })
  return queryOptions({
    queryKey: [...DAY_KEY, schools.toSorted()],
    queryFn: ({ signal }) => request(`/api/day${queryString({ school: schools })}`, { read, signal }),
    staleTime: JUST_ASKED_MS,
    refetchInterval: hardlyWhileLive(isLive, () => UNTOLD_MS),
    refetchOnWindowFocus: true,
  })
}

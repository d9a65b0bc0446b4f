import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIsLive } from '@/components/browser/live'
import { useCurrentUser } from '@/components/desk/current-user'
import { dayQuery } from '@/lib/api/queries'
import { usePending } from './use-pending'

export function useDay(schools: readonly string[]) {
  const { pending } = usePending()
  const me = useCurrentUser()?.id ?? null
  const { data, error, refetch } = useQuery(dayQuery(schools, useIsLive()))
  const day = useMemo(() => data && pending.day(data, { schools, me }), [pending, data, schools, me])
  return { data: day, error, refetch }
}

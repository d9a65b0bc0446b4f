import { useQuery } from '@tanstack/react-query'
import { useIsLive } from '@/components/browser/live'
import { useSchoolFilter } from '@/components/desk/schools'
import { dayQuery } from '@/lib/api/day'

/** What there is to do today in the chosen schools. */
export function useDay() {
  const [schools] = useSchoolFilter()
  return { schools, ...useQuery(dayQuery(schools, useIsLive())) }
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { highSchools } from '@/lib/api/high-schools'

/** What a school is called; one that is missing from the school list goes by its id. */
export function useSchoolNamesById(): (id: string) => string {
  const { data } = useQuery(highSchools())
  return (id) => data?.highSchools.find((school) => school.id === id)?.name ?? id
}

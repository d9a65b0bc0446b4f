'use client'

import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { LeadItem } from '@/lib/api/lead-page'
import { highSchools } from '@/lib/api/high-schools'
import { isQuestion } from '@/lib/inbox/lead-text'

export type SchoolNames = { byId: (id: string) => string; of: (item: LeadItem) => string }

/** What a school is called; one that is missing from the school list goes by its id. */
export function useSchoolNames(): SchoolNames {
  const { data } = useQuery(highSchools())
  const names = useMemo(() => new Map(data?.highSchools.map(({ id, name }) => [id, name])), [data])
  const byId = useCallback((id: string) => names.get(id) ?? id, [names])
  const of = useCallback(
    (item: LeadItem) =>
      isQuestion(item) && item.highSchoolName !== '' ? item.highSchoolName : byId(item.highSchoolId),
    [byId],
  )
  return useMemo(() => ({ byId, of }), [byId, of])
}

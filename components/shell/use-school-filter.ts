'use client'

import { usePathname } from 'next/navigation'
import { useQueryState } from 'nuqs'
import { filterParams } from '@/lib/inbox/filter-params'

/** Screens whose rows are drawn on the server, which must then hear of the change. */
const drawnOnServer: ReadonlySet<string> = new Set(['/interest'])

/** The chosen schools, from the URL. None chosen means all. */
export function useSchoolFilter(): [readonly string[], (ids: readonly string[]) => void] {
  const shallow = !drawnOnServer.has(usePathname())
  const [chosen, setChosen] = useQueryState('school', filterParams.school)
  return [chosen, (ids) => void setChosen(ids.length > 0 ? [...ids] : null, { shallow, history: 'push' })]
}

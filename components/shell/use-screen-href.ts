'use client'

import type { Screen } from './screens'
import { useSchoolFilter } from './use-school-filter'

/** Where a screen is, with the chosen schools, which go along from screen to screen. */
export function useScreenHref(): (screen: Pick<Screen, 'href' | 'group'>) => string {
  const [schools] = useSchoolFilter()
  const query = schools.length > 0 ? `?${new URLSearchParams(schools.map((id) => ['school', id]))}` : ''
  return ({ href, group }) => (group === 'main' ? href + query : href)
}

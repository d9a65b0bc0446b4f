import { useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useMemo } from 'react'
import { useUrlRedraw, useUrlState } from '@/components/browser/url-state'
import type { LeadItem } from '@/lib/api/leads'
import { highSchools } from '@/lib/api/queries'
import { isQuestion } from '@/lib/inbox/lead-text'
import type { Screen } from './screens'

export function useSchoolFilter(): [readonly string[], (ids: readonly string[]) => void] {
  const { search, write } = useUrlState()
  const pathname = usePathname()
  const redraw = useUrlRedraw()
  const choose = (ids: readonly string[]) =>
    DRAWN_ON_SERVER.has(pathname) ? redraw({ school: ids }) : write({ school: ids }, 'push')
  const schools = useMemo(() => search.getAll('school'), [search])
  return [schools, choose]
}

/** Screens that the server draws, which must then hear of the change. */
const DRAWN_ON_SERVER: ReadonlySet<string> = new Set(['/interest'])

/** Where a screen is, with the chosen schools, which go along from screen to screen. */
export function useScreenHref(): (screen: Pick<Screen, 'href' | 'group'>) => string {
  const [schools] = useSchoolFilter()
  const query = schools.length > 0 ? `?${new URLSearchParams(schools.map((id) => ['school', id]))}` : ''
  return ({ href, group }) => (group === 'main' ? href + query : href)
}

export type SchoolNames = { byId: (id: string) => string; of: (item: LeadItem) => string }

/** What a school is called; one that is missing from the school list goes by its id. */
export function useSchoolNames(): SchoolNames {
  const { data } = useQuery(highSchools)
  return useMemo(() => {
    const names = new Map(data?.highSchools.map(({ id, name }) => [id, name]))
    const byId = (id: string) => names.get(id) ?? id
    const of = (item: LeadItem) => (isQuestion(item) && item.highSchoolName) || byId(item.highSchoolId)
    return { byId, of }
  }, [data])
}

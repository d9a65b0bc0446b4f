import { useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useMemo } from 'react'
import type { LeadItem } from '@/lib/api/leads'
import { highSchoolsQuery } from '@/lib/api/queries'
import { LEAD_LISTS, LISTS } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import type { Screen } from './screens'
import { useServerRefresh, useUrlState } from './url-state'

/** Returns the ids of the chosen schools, none for all, and a function that chooses others. */
export function useSchoolFilter(): [readonly string[], (ids: readonly string[]) => void] {
  const { searchParams, write } = useUrlState()
  const pathname = usePathname()
  const refreshServer = useServerRefresh()
  // The server renders the figures of interest, so choosing schools refreshes that page.
  const choose = (ids: readonly string[]) =>
    pathname === '/interest' ? refreshServer({ school: ids }) : write({ school: ids }, 'push')
  const schoolIds = useMemo(() => searchParams.getAll('school'), [searchParams])
  return [schoolIds, choose]
}

/** Returns the link to a screen. The main screens keep the chosen schools, and a list opens with its to-do filter. */
export function useScreenHref(): (screen: Pick<Screen, 'href' | 'group'>) => string {
  const [schoolIds] = useSchoolFilter()
  return ({ href, group }) => {
    const toDoFilter = LEAD_LISTS.some((list) => LISTS[list].href === href) ? [['waiting', '1']] : []
    const query = new URLSearchParams(group === 'main' ? [...toDoFilter, ...schoolIds.map((id) => ['school', id])] : [])
    return query.size > 0 ? `${href}?${query}` : href
  }
}

/** Stands for a name that is being fetched, because an id means nothing to users. */
export const PENDING_NAME = '…'

/** Names schools: `PENDING_NAME` until they are loaded, then the id of a school that the service no longer has. */
export function useSchoolNames() {
  const { data } = useQuery(highSchoolsQuery)
  return useMemo(() => {
    const names = new Map(data?.highSchools.map(({ id, name }) => [id, name]))
    const nameById = (id: string): string => names.get(id) ?? (data === undefined ? PENDING_NAME : id)
    const nameForLead = (item: LeadItem) => (isQuestion(item) && item.highSchoolName) || nameById(item.highSchoolId)
    return { nameById, nameForLead }
  }, [data])
}

'use client'

import { usePathname, useRouter } from 'next/navigation'
import { changedSearch } from '@/lib/inbox/url-writes'
import { useUrlState } from './url-state'

/** Screens whose rows are drawn on the server, which must then hear of the change. */
const drawnOnServer: ReadonlySet<string> = new Set(['/interest'])

/** The chosen schools, from the URL. None chosen means all. */
export function useSchoolFilter(): [readonly string[], (ids: readonly string[]) => void] {
  const { search, write } = useUrlState()
  const pathname = usePathname()
  const router = useRouter()
  const choose = (ids: readonly string[]) => {
    if (!drawnOnServer.has(pathname)) return write({ school: ids }, 'push')
    router.push(`${pathname}?${changedSearch(search.toString(), { school: ids })}`, { scroll: false })
  }
  return [search.getAll('school'), choose]
}

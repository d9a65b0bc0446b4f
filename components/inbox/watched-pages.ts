import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import type { LeadPage, LeadPageOptions } from '@/lib/api/leads'
import type { LoadedPage } from '@/lib/inbox/waiting-rows'

export type PageQuery = LeadPageOptions & { offset: number; staleTime: number; gcTime: number }

/** The pages that these queries have, as they come; they are fetched while somebody listens. For `useSyncExternalStore`. */
export function watchedPages(client: QueryClient, queries: readonly PageQuery[]) {
  let pages: readonly LoadedPage[] = []
  return {
    subscribe: (listener: () => void) => {
      const stops = queries.map(({ offset: _place, ...query }) => new QueryObserver(client, query).subscribe(listener))
      // Later: a page that the next ones are watched with must not be given up on the way there.
      return () => queueMicrotask(() => stops.forEach((stop) => stop()))
    },
    /** The same array while it holds the same pages. */
    read: (): readonly LoadedPage[] => {
      const now = queries.flatMap(({ offset, queryKey }) => {
        const page = client.getQueryData<LeadPage>(queryKey)
        return page === undefined ? [] : [{ offset, page }]
      })
      const isSame = now.length === pages.length && now.every(({ page }, at) => page === pages[at]?.page)
      if (!isSame) pages = now
      return pages
    },
  }
}

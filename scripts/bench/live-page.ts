import {
  environmentManager,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/react-query'
import { feedStatusQuery } from '@/components/app/feed-status'
import { createLiveHandlers } from '@/components/app/follow-live'
import { type LeadItem, leadPageQuery, showNewLeads } from '@/lib/api/leads'
import { createLiveUpdates } from '@/lib/api/live'
import { pollUnlessLive } from '@/lib/api/polling'
import { highSchoolsQuery, listCountsQuery, savedViewsQuery } from '@/lib/api/queries'
import { queryRetries } from '@/lib/api/retry'
import type { Stream } from '@/lib/api/shared-stream'
import type { LeadList } from '@/lib/contract/lead'
import { parseFilterParams, toListQuery, omitSort } from '@/lib/inbox/filter-params'

// Queries must refetch as in a browser, although there is no window.
environmentManager.setIsServer(() => false)

type PageOptions = { list: LeadList; connect: () => Stream; onRows: (items: readonly LeadItem[]) => void }

const JUST_READ_MS = 5_000

/** Opens an inbox without a browser: sends its requests by the app's own code, for as long as the process runs. */
export async function openLivePage({ list, connect, onRows }: PageOptions) {
  const client = new QueryClient({ defaultOptions: { queries: queryRetries } })
  const query = toListQuery(list, parseFilterParams(new URLSearchParams()))
  const head = leadPageQuery(list, query, 0)
  await Promise.all([client.prefetchQuery(head), client.prefetchQuery(highSchoolsQuery)])
  const chance = Math.random()
  const queries = [
    observe(
      client,
      (isLive) => ({ ...head, refetchInterval: pollUnlessLive(isLive, undefined, chance), staleTime: JUST_READ_MS }),
      ({ items, waiting = 0 }) => {
        onRows(items)
        if (waiting > 0) showNewLeads(client, list, query)
      },
    ),
    observe(client, (isLive) => ({
      ...feedStatusQuery,
      refetchInterval: pollUnlessLive(isLive, undefined, chance),
    })),
    observe(client, () => listCountsQuery(list, omitSort(query))),
    observe(client, () => savedViewsQuery),
    observe(client, () => highSchoolsQuery),
  ]
  const onLiveChange = (isLive: boolean) => queries.forEach(({ setLive }) => setLive(isLive))
  createLiveUpdates({ ...createLiveHandlers(client), connect, onLiveChange }).start()
}

type ObservedQuery = { setLive: (isLive: boolean) => void }

function observe<Data, Key extends QueryKey>(
  client: QueryClient,
  options: (isLive: boolean) => QueryObserverOptions<Data, Error, Data, Data, Key>,
  onData: (data: Data) => void = () => {},
): ObservedQuery {
  const observer = new QueryObserver(client, options(false))
  const notify = ({ data }: { data: Data | undefined }) => data !== undefined && onData(data)
  observer.subscribe(notify)
  notify(observer.getCurrentResult())
  return { setLive: (isLive) => observer.setOptions(options(isLive)) }
}

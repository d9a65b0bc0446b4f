import {
  environmentManager,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/react-query'
import { computeStatusInterval, feedStatusQuery } from '@/components/app/feed-status'
import { createLiveHandlers } from '@/components/app/follow-live'
import { api } from '@/lib/api/call'
import { type LeadItem, type LeadPage, leadPageQuery, showNewLeads } from '@/lib/api/leads'
import { createLiveUpdates } from '@/lib/api/live'
import { msUntilNext, pollUnlessLive } from '@/lib/api/polling'
import { highSchoolsQuery, listCountsQuery, savedViewsQuery } from '@/lib/api/queries'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { queryRetries } from '@/lib/api/retry'
import type { Stream } from '@/lib/api/shared-stream'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { readFilterParams, toListQuery, withoutSort } from '@/lib/inbox/filter-params'

// Queries must refetch as in a browser, although there is no window.
environmentManager.setIsServer(() => false)

type PageOptions = { list: LeadList; connect: () => Stream; onRows: (items: readonly LeadItem[]) => void }

/** Sends the requests of an open inbox by the app's own code, without a browser. */
export function createLivePage({ list, connect, onRows }: PageOptions) {
  const client = new QueryClient({ defaultOptions: { queries: queryRetries } })
  const { head, show } = createQueries(client, list, onRows)
  let queries: readonly ObservedQuery[] = []
  const onLive = (isLive: boolean) => queries.forEach(({ setLive }) => setLive(isLive))
  const live = createLiveUpdates({ ...createLiveHandlers(client), connect, onLiveChange: onLive })
  return {
    async open(): Promise<void> {
      await Promise.all([client.prefetchQuery(head), client.prefetchQuery(highSchoolsQuery)])
      queries = show()
      live.start()
    },
    async decide(): Promise<void> {
      const { items = [] } = client.getQueryData<LeadPage>(head.queryKey) ?? {}
      const item = items[Math.floor(Math.random() * items.length)]
      if (item === undefined) return
      const { id, triage } = item
      const leads = [{ kind: LISTS[list].kind, id, updatedAt: triage.updatedAt }]
      const status = triage.status === 'handled' ? 'new' : 'handled'
      await api('PATCH /api/triage', { body: { leads, status } }).catch(() => {})
      await Promise.all([refreshTriaged(client, list), refreshCounts(client)])
    },
  }
}

const JUST_READ_MS = 5_000

function createQueries(client: QueryClient, list: LeadList, onRows: PageOptions['onRows']) {
  const query = toListQuery(list, readFilterParams(new URLSearchParams()))
  const head = leadPageQuery(list, query, 0)
  const chance = Math.random()
  const show = (): ObservedQuery[] => [
    observe(
      client,
      (isLive) => ({ ...head, refetchInterval: pollUnlessLive(isLive, msUntilNext, chance), staleTime: JUST_READ_MS }),
      ({ items, waiting = 0 }) => {
        onRows(items)
        if (waiting > 0) showNewLeads(client, list, query)
      },
    ),
    observe(client, (live) => ({
      ...feedStatusQuery,
      refetchInterval: pollUnlessLive(live, computeStatusInterval, chance),
    })),
    observe(client, () => listCountsQuery(list, withoutSort(query))),
    observe(client, () => savedViewsQuery),
    observe(client, () => highSchoolsQuery),
  ]
  return { head, show }
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

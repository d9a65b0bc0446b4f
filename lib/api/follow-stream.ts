import type { QueryClient } from '@tanstack/react-query'
import type { LiveOptions } from '@/lib/api/live'
import { type SchoolCounts, schoolCountsKey, withCounts } from '@/lib/api/queries'
import {
  presenceKey,
  refreshCounts,
  refreshCountsOf,
  refreshHeads,
  refreshList,
  refreshNotes,
  refreshTriaged,
  STATUS_KEY,
} from '@/lib/api/refresh'
import { LEAD_LISTS } from '@/lib/contract/lists'

/** What is done for the queries of `client` about the words of the live stream: what it tells is taken, the rest asked for again. */
export function followStream(client: QueryClient): Omit<LiveOptions, 'connect' | 'onLive'> {
  return {
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
    onChanged: (change) => void refreshList(client, change),
    onStatus: (status) => client.setQueryData(STATUS_KEY, status),
    onCounts: (told) =>
      client.setQueryData<SchoolCounts>(schoolCountsKey(told.list), (known) => withCounts(known, told)),
    onLead: ({ what, kind, id }) => {
      if (what === 'notes') void refreshNotes(client, { kind, id })
      else void client.invalidateQueries({ queryKey: presenceKey({ kind, id }) })
    },
    onTriage: ({ list }) => {
      void refreshTriaged(client, list, true)
      void refreshCountsOf(client, list)
    },
    onNumbers: () => void refreshCounts(client),
    onBack: () => {
      for (const list of LEAD_LISTS) void refreshTriaged(client, list, true)
      void refreshCounts(client)
    },
    onCheck: () => {
      void refreshHeads(client)
      void refreshCounts(client)
    },
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { createLive } from '@/lib/api/live'
import { type SchoolCounts, schoolCountsKey, withCounts } from '@/lib/api/list-choices'
import { refreshCounts, refreshHeads, refreshList, refreshTriaged, STATUS_KEY } from '@/lib/api/refresh'
import { SESSION_LOST } from '@/lib/api/send'
import { LEAD_LISTS } from '@/lib/contract/lists'

const IsLive = createContext(false)

/** Whether the server tells of changes by itself at the moment. */
export function useIsLive(): boolean {
  return useContext(IsLive)
}

/** Holds the tab's one live stream, and asks the server again for what the stream says is outdated. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const live = createLive({
      connect: () => new EventSource('/api/events'),
      schedule: (delayMs, run) => {
        const timer = setTimeout(run, delayMs)
        return () => clearTimeout(timer)
      },
      random: Math.random,
      onChanged: (change) => void refreshList(client, change),
      onStatus: (status) => client.setQueryData(STATUS_KEY, status),
      onCounts: (told) =>
        client.setQueryData<SchoolCounts>(schoolCountsKey(told.list), (known) => withCounts(known, told)),
      onLead: ({ what, kind, id }) => void client.invalidateQueries({ queryKey: [what, kind, id] }),
      onTriage: ({ list }) => void refreshTriaged(client, list, true),
      onNumbers: () => void refreshCounts(client),
      onLive: setLive,
      onBack: () => {
        for (const list of LEAD_LISTS) void refreshTriaged(client, list, true)
        void refreshCounts(client)
      },
      onCheck: () => {
        void refreshHeads(client)
        void refreshCounts(client)
      },
    })
    const look = () => (document.hidden ? live.hide() : live.wake())
    live.start()
    look()
    document.addEventListener('visibilitychange', look)
    window.addEventListener('online', look)
    window.addEventListener(SESSION_LOST, live.stop)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('online', look)
      window.removeEventListener(SESSION_LOST, live.stop)
      live.stop()
    }
  }, [client])
  return <IsLive value={isLive}>{children}</IsLive>
}

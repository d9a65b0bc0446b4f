import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { createLiveUpdates, type LiveHandlers } from '@/lib/api/live'
import { STATUS_KEY } from '@/lib/api/polling'
import {
  presenceKey,
  refreshAfterDecision,
  refreshCounts,
  refreshList,
  refreshNotes,
  refreshPolled,
  refreshTriaged,
} from '@/lib/api/refresh'
import { SESSION_LOST } from '@/lib/api/send'
import { openSharedStream } from '@/lib/api/shared-stream'

/** Opens the live stream, pauses it while the tab is hidden, suspended or offline, and closes it with the session. */
export function followLive(
  client: QueryClient,
  userId: string,
  onLiveChange: (isLive: boolean) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return
  const connect = () => {
    const channel = new BroadcastChannel(`intag:live:${userId}`)
    return openSharedStream({ connect: () => new EventSource('/api/events'), channel })
  }
  const live = createLiveUpdates({ ...createLiveHandlers(client), connect, onLiveChange })
  const followVisibility = () => (document.hidden ? live.hide() : live.wake())
  live.start()
  followVisibility()
  document.addEventListener('visibilitychange', followVisibility, { signal })
  window.addEventListener('pageshow', followVisibility, { signal })
  // A tab that the browser suspends hands the stream to another one.
  document.addEventListener('freeze', live.pause, { signal })
  window.addEventListener('pagehide', live.pause, { signal })
  const unsubscribeNetwork = onlineManager.subscribe((isOnline) => (isOnline ? followVisibility() : live.pause()))
  const endSession = () => {
    live.stop()
    // Screens stop polling too, since each request would be refused.
    onlineManager.setOnline(false)
  }
  window.addEventListener(SESSION_LOST, endSession, { signal })
  signal.addEventListener('abort', () => {
    unsubscribeNetwork()
    live.stop()
  })
}

export function createLiveHandlers(client: QueryClient): LiveHandlers {
  return {
    onChanged: (change) => void refreshList(client, change),
    onStatus: (status) => void client.setQueryData(STATUS_KEY, status),
    onLead: ({ what, ...lead }) => {
      if (what === 'notes') void refreshNotes(client, lead)
      else void client.invalidateQueries({ queryKey: presenceKey(lead) })
    },
    onTriage: ({ list }) => {
      void refreshTriaged(client, list)
      void refreshCounts(client, list)
    },
    onCounts: () => void refreshCounts(client),
    onReconnect: () => refreshAfterDecision(client),
    onPoll: () => {
      // These requests also notice, by a 401, that the session has ended.
      void refreshPolled(client)
      void refreshCounts(client)
    },
  }
}

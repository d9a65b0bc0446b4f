import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { createLiveUpdates, createStreamHandlers } from '@/lib/api/live'
import { SESSION_LOST } from '@/lib/api/send'
import { openSharedStream } from '@/lib/api/shared-stream'

/** Opens the live stream, pauses it while the tab is hidden, suspended or offline, and closes it when the session ends. */
export function followLive(
  client: QueryClient,
  userId: string,
  onLive: (isLive: boolean) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return
  const options = createStreamHandlers(client)
  const connect = () => {
    const channel = new BroadcastChannel(`intag:live:${userId}`)
    return openSharedStream({ ...options, connect: () => new EventSource('/api/events'), channel })
  }
  const live = createLiveUpdates({ ...options, connect, onLiveChange: onLive })
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

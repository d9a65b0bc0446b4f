import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { after } from '@/lib/after'
import { createLive, followStream } from '@/lib/api/live'
import { SESSION_LOST } from '@/lib/api/send'
import { openSharedStream } from '@/lib/api/shared-stream'

/** Follows the live stream as the tab is seen, hidden, suspended or without a network, until what it returns is called. */
export function followLive(client: QueryClient, userId: string, onLive: (isLive: boolean) => void): () => void {
  const connect = () =>
    openSharedStream({
      connect: () => new EventSource('/api/events'),
      channel: new BroadcastChannel(`intag:live:${userId}`),
      schedule: after,
      random: () => Math.random(),
    })
  const live = createLive({ ...followStream(client), connect, onLive })
  const look = () => (document.hidden ? live.hide() : live.wake())
  live.start()
  look()
  const unmount = new AbortController()
  const { signal } = unmount
  document.addEventListener('visibilitychange', look, { signal })
  window.addEventListener('pageshow', look, { signal })
  // A tab that the browser suspends leaves the stream to another one.
  document.addEventListener('freeze', live.pause, { signal })
  window.addEventListener('pagehide', live.pause, { signal })
  const ignoreNetwork = onlineManager.subscribe((isOnline) => (isOnline ? look() : live.pause()))
  const end = () => {
    live.stop()
    // Nor do screens ask by themselves, to be refused each time.
    onlineManager.setOnline(false)
  }
  window.addEventListener(SESSION_LOST, end, { signal })
  return () => {
    unmount.abort()
    ignoreNetwork()
    live.stop()
  }
}

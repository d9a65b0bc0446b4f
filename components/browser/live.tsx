import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { SESSION_LOST } from '@/lib/api/send'
import { lazyCode, useLazyCode } from './lazy-code'

const IsLive = createContext(false)

export function useIsLive(): boolean {
  return useContext(IsLive)
}

/** It draws nothing, so no page waits for it; without it the screens ask by themselves, as they do without a stream. */
const liveCode = lazyCode(() => import('@/lib/api/live'))
/** On its way while the page wakes up: until the stream is there, a link asks the server before it goes. */
if (typeof document !== 'undefined') void liveCode.want()

/** Holds the tab's one live stream, and asks the server again for what the stream says is outdated. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  const code = useLazyCode(liveCode, true)
  useEffect(() => {
    if (code === undefined) return
    const connect = () => new EventSource('/api/events')
    const live = code.createLive({ ...code.followStream(client), connect, onLive: setLive })
    const look = () => (document.hidden ? live.hide() : live.wake())
    live.start()
    look()
    document.addEventListener('visibilitychange', look)
    const ignoreNetwork = onlineManager.subscribe((isOnline) => (isOnline ? look() : live.pause()))
    const end = () => {
      live.stop()
      // Nor do screens ask by themselves, to be refused each time.
      onlineManager.setOnline(false)
    }
    window.addEventListener(SESSION_LOST, end)
    return () => {
      document.removeEventListener('visibilitychange', look)
      ignoreNetwork()
      window.removeEventListener(SESSION_LOST, end)
      live.stop()
    }
  }, [client, code])
  return <IsLive value={isLive}>{children}</IsLive>
}

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

/** Keeps the tab up to date by the live stream of the user's browser, and asks again for what that says is outdated. */
export function LiveProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  const code = useLazyCode(liveCode, true)
  useEffect(() => {
    if (code === undefined) return
    const connect = () => code.openStream(userId, () => new EventSource('/api/events'))
    const live = code.createLive({ ...code.followStream(client), connect, onLive: setLive })
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
  }, [client, code, userId])
  return <IsLive value={isLive}>{children}</IsLive>
}

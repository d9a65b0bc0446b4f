import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { followStream } from '@/lib/api/follow-stream'
import { createLive } from '@/lib/api/live'
import { SESSION_LOST } from '@/lib/api/send'

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
    const connect = () => new EventSource('/api/events')
    const live = createLive({ ...followStream(client), connect, onLive: setLive })
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

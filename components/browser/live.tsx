import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

const IsLive = createContext(false)

export function useIsLive(): boolean {
  return useContext(IsLive)
}

/** It draws nothing, so no page waits for it; without it the screens ask by themselves, as they do without a stream. */
const loadLive = () => import('./follow-live')
/** On its way while the page wakes up: until the stream is there, a link asks the server before it goes. */
if (typeof document !== 'undefined') loadLive().catch(() => {})

/** Keeps the tab up to date by the live stream of the user's browser, and asks again for what that says is outdated. */
export function LiveProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    let isOver = false
    let stop = () => {}
    const follow = async () => {
      const { followLive } = await loadLive()
      if (!isOver) stop = followLive(client, userId, setLive)
    }
    follow().catch(() => {})
    return () => {
      isOver = true
      stop()
    }
  }, [client, userId])
  return <IsLive value={isLive}>{children}</IsLive>
}

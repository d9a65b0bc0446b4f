import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createShownState, useShown } from '@/components/ui/shown-state'

const liveState = createShownState(false)

export const useIsLive = () => useShown(liveState, (isLive) => isLive)

/** It draws nothing, so no page waits for it; without it the screens ask by themselves, as they do without a stream. */
const loadLive = () => import('./follow-live')
/** On its way while the page wakes up: until the stream is there, a link asks the server before it goes. */
if (typeof document !== 'undefined') loadLive().catch(() => {})

/** Keeps the tab up to date by the live stream of the user's browser, and asks again for what that says is outdated. */
export function useLive(userId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    let isOver = false
    let stop = () => {}
    const follow = async () => {
      const { followLive } = await loadLive()
      if (!isOver) stop = followLive(client, userId, liveState.show)
    }
    follow().catch(() => {})
    return () => {
      isOver = true
      stop()
    }
  }, [client, userId])
}

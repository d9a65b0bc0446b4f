import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCurrentUser } from './current-user'
import { createShownState, useShown } from '@/components/ui/shown-state'

const liveState = createShownState(false)

export const useIsLive = () => useShown(liveState, (isLive) => isLive)

/** This code draws nothing, so no page waits for it. Without it the screens poll, as they do without a stream. */
const loadLive = () => import('./follow-live')
/** It loads at once: until the stream is open, each link checks first whether the server answers. */
if (typeof document !== 'undefined') loadLive().catch(() => {})

/** Keeps the tab up to date by the live stream of the user's browser. */
export function useLive(): void {
  const client = useQueryClient()
  const userId = useCurrentUser()?.id ?? ''
  useEffect(() => {
    const unmount = new AbortController()
    loadLive()
      .then(({ followLive }) => followLive(client, userId, liveState.show, unmount.signal))
      .catch(() => {})
    return () => unmount.abort()
  }, [client, userId])
}

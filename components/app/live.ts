import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCurrentUser } from './current-user'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'

const liveState = createExternalStore(false)

export const useIsLive = () => useExternalStore(liveState, (isLive) => isLive)

/** This code draws nothing, so no page waits for it. Without it the screens poll, as they do without a stream. */
const loadLive = () => import('./follow-live')
/** It loads at once: until the stream is open, each link checks first whether the server answers. */
if (typeof document !== 'undefined') loadLive().catch(() => {})

/** Keeps the tab up to date by the live stream of the user's browser. */
export function useLiveStream(): void {
  const client = useQueryClient()
  const userId = useCurrentUser()?.id ?? ''
  useEffect(() => {
    const unmount = new AbortController()
    loadLive()
      .then(({ followLive }) => followLive(client, userId, liveState.set, unmount.signal))
      .catch(() => {})
    return () => unmount.abort()
  }, [client, userId])
}

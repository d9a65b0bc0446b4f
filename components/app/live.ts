import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import { useCurrentUser } from './current-user'

const liveState = createExternalStore(false)

export const useIsLive = () => useExternalStore(liveState)

/** Keeps the tab up to date by the live stream, which all tabs of a browser share. */
export function useLiveStream(): void {
  const client = useQueryClient()
  const userId = useCurrentUser()?.id ?? ''
  useEffect(() => {
    const unmount = new AbortController()
    // The code is imported dynamically, so that no page waits for it. If that fails, screens poll.
    import('./follow-live')
      .then(({ followLive }) => followLive(client, userId, liveState.set, unmount.signal))
      .catch(() => {})
    return () => unmount.abort()
  }, [client, userId])
}

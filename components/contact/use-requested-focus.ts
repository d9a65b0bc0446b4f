import { useEffectEvent, useLayoutEffect } from 'react'

/** Calls `focus` before the screen is painted, each time that `requestCount` grows because the user asks to write. */
export function useRequestedFocus(requestCount: number, focus: () => void): void {
  const onRequest = useEffectEvent(focus)
  useLayoutEffect(() => {
    if (requestCount > 0) onRequest()
  }, [requestCount])
}

import { useEffectEvent, useLayoutEffect } from 'react'

/** Calls `focus` each time the user asks to write, before the screen is painted. `requests` grows by one with each. */
export function useRequestedFocus(requests: number, focus: () => void): void {
  const onRequest = useEffectEvent(focus)
  useLayoutEffect(() => {
    if (requests > 0) onRequest()
  }, [requests])
}

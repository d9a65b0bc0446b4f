import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function that never changes and always does what the latest one would, so that memoised rows stay as they are. */
export function useStableCallback<Arguments extends unknown[], Answer>(callback: (...given: Arguments) => Answer) {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...given: Arguments) => latest.current(...given), [])
}

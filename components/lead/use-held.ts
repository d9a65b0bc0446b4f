import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * What is asked for before it is known which way out there is, as without a network: it goes out once, as soon as that is known, by the
 * same `press` as any other, and only while its lead is still on screen.
 */
export function useHeld(isKnown: boolean, press: (isFinished: boolean) => void) {
  const [held, setHeld] = useState<{ isFinished: boolean } | null>(null)
  const gone = useRef<typeof held>(null)
  const pressNow = useEffectEvent(press)
  useEffect(() => {
    if (!isKnown || held === null || held === gone.current) return
    gone.current = held
    pressNow(held.isFinished)
  }, [isKnown, held])
  return {
    isHeld: !isKnown && held !== null,
    hold: (isFinished: boolean) => setHeld({ isFinished }),
    letGo: () => setHeld(null),
  }
}

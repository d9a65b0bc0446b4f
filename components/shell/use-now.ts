'use client'

import { useEffect, useState } from 'react'

/** The time in milliseconds, once a second; null until the browser has taken over from the server. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

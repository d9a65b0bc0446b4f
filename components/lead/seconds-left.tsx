import { type ReactNode, useEffect, useState } from 'react'

const LOOK_MS = 250

/** Whole seconds until a moment (ms), counting down. */
export function SecondsLeft({ until, children }: { until: number; children: (seconds: number) => ReactNode }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-live="off" className="tabular">
      {children(Math.max(0, Math.ceil((until - now) / 1000)))}
    </span>
  )
}

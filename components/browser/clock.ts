import { useEffect, useState } from 'react'
import { stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'

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

/** The first millisecond of today in Stockholm; renders again only when the day turns. */
export function useToday(): number {
  const [today, setToday] = useState(startOfToday)
  useEffect(() => {
    const timer = setInterval(() => setToday(startOfToday()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return today
}

/** The time in milliseconds, anew each minute. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

const LOOK_MS = 60_000

/** The year it is in Stockholm. */
export function useThisYear(): number {
  return Number(stockholmDay(useToday()).slice(0, 4))
}

function startOfToday(): number {
  return stockholmDayStart(stockholmDay(Date.now()))
}

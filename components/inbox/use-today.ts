'use client'

import { useEffect, useState } from 'react'
import { stockholmDay, stockholmDayStart } from '@/lib/time/stockholm-day'

const LOOK_MS = 60_000

/** The first millisecond of today in Stockholm; renders again only when the day turns. */
export function useToday(): number {
  const [today, setToday] = useState(startOfToday)
  useEffect(() => {
    const timer = setInterval(() => setToday(startOfToday()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return today
}

function startOfToday(): number {
  return stockholmDayStart(stockholmDay(Date.now()))
}

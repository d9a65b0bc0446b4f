import { useLocale } from 'next-intl'
import { useEffect, useState } from 'react'
import { formatDayAndTime } from '@/lib/time/format-time'
import { stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'

/** The time (ms), updated each second; null until hydration. */
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

const startOfToday = () => stockholmDayStart(stockholmDay(Date.now()))

/** The start of today in Stockholm (ms). */
export const useToday = (): number => useEachMinute(startOfToday)

/** The time (ms), updated each minute. */
export const useNowByMinute = (): number => useEachMinute(Date.now)

export const useThisYear = (): number => Number(stockholmDay(useToday()).slice(0, 4))

/** Returns a formatter of moments (milliseconds or ISO text) relative to today: "today 10:14". */
export function useDayTimeFormatter(): (moment: number | string) => string {
  const locale = useLocale()
  const today = useToday()
  return (moment) => formatDayAndTime(typeof moment === 'string' ? Date.parse(moment) : moment, today, locale)
}

function useEachMinute(read: () => number): number {
  const [value, setValue] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setValue(read()), 60_000)
    return () => clearInterval(timer)
  }, [read])
  return value
}

import { useLocale } from 'next-intl'
import { useEffect, useState } from 'react'
import { useIsHydrated } from '@/components/ui/browser-state'
import { MINUTE_MS } from '@/lib/time/durations'
import { formatDayAndTime } from '@/lib/time/format-time'
import { toStockholmDay, startOfStockholmDay } from '@/lib/time/stockholm'

/** Returns the current time (ms), renewed each second, or null until hydration. */
export function useNow(): number | null {
  const nowMs = usePolled(Date.now, 1_000)
  return useIsHydrated() ? nowMs : null
}

/** Returns the current time (ms), renewed each minute. The server renders another time, so its text differs. */
export const useNowByMinute = (): number => usePolled(Date.now, MINUTE_MS)

/** Returns the start of today in Stockholm (ms). */
export const useStartOfToday = (): number => usePolled(readStartOfToday, MINUTE_MS)

const readStartOfToday = () => startOfStockholmDay(toStockholmDay(Date.now()))

export const useThisYear = (): number => Number(toStockholmDay(useStartOfToday()).slice(0, 4))

/** Returns a formatter of moments (ms or ISO 8601) relative to today, as in "today 10:14". */
export function useDayTimeFormatter(): (moment: number | string) => string {
  const locale = useLocale()
  const startOfTodayMs = useStartOfToday()
  return (moment) => formatDayAndTime(typeof moment === 'string' ? Date.parse(moment) : moment, startOfTodayMs, locale)
}

function usePolled(read: () => number, everyMs: number): number {
  const [value, setValue] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setValue(read()), everyMs)
    return () => clearInterval(timer)
  }, [read, everyMs])
  return value
}

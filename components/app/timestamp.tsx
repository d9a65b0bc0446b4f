import { useLocale } from 'next-intl'
import { formatFullTime } from '@/lib/time/format-date'
import { useDayTimeFormatter } from './clock'

/** Shows a time, with the full date as its title; `isInline` gives it the look of the text around it. */
export function Timestamp({ time, isInline = false }: { time: string; isInline?: boolean }) {
  const locale = useLocale()
  const formatDayTime = useDayTimeFormatter()
  return (
    <time
      dateTime={time}
      title={formatFullTime(Date.parse(time), locale)}
      // Server and browser may write a date differently.
      suppressHydrationWarning
      className={isInline ? undefined : 'tabular text-xs text-faint'}
    >
      {formatDayTime(time)}
    </time>
  )
}

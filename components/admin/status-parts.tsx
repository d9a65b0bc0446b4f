import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { FeedReport, ListReport } from '@/lib/contract/feed-status'
import type { Locale } from '@/lib/i18n/locale'
import { shortDuration } from '@/lib/time/format-time'

const marks = {
  failing: { icon: CircleX, colour: 'text-danger' },
  heldBack: { icon: TriangleAlert, colour: 'text-status-progress' },
  waiting: { icon: CircleDashed, colour: 'text-status-dismissed' },
  setAside: { icon: TriangleAlert, colour: 'text-status-progress' },
  healthy: { icon: CircleCheck, colour: 'text-status-handled' },
} satisfies Record<string, { icon: LucideIcon; colour: string }>

type Health = keyof typeof marks
const worstFirst: readonly Health[] = ['failing', 'heldBack', 'waiting', 'setAside', 'healthy']

export function listHealth({ problem, fetchedAt, setAside }: ListReport): Health {
  if (problem !== null) return problem.doubt ? 'heldBack' : 'failing'
  if (fetchedAt === null) return 'waiting'
  return setAside.total > 0 ? 'setAside' : 'healthy'
}

export function verdict(lists: FeedReport['lists']): { health: Health; count: number } {
  const reports = Object.values(lists)
  const found = reports.map(listHealth)
  const health = worstFirst.find((each) => found.includes(each)) ?? 'healthy'
  if (health === 'setAside') return { health, count: reports.reduce((sum, { setAside }) => sum + setAside.total, 0) }
  return { health, count: found.filter((each) => each === health).length }
}

export function HealthMark({ health }: { health: Health }) {
  const { icon: Icon, colour } = marks[health]
  return <Icon strokeWidth={2} className={cn('size-4.5 shrink-0', colour)} />
}

type HealthCardProps = { id: string; title: string; health: Health; word: string; children: ReactNode }

export function HealthCard({ id, title, health, word, children }: HealthCardProps) {
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-lg border border-line bg-panel p-4 shadow-card desk:px-5"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="flex items-center gap-1.5 text-sm text-mute">
          <HealthMark health={health} />
          <span>{word}</span>
        </p>
      </header>
      {children}
    </section>
  )
}

type ProblemBoxProps = { isMild?: boolean; title: string; children: ReactNode }

export function ProblemBox({ isMild = false, title, children }: ProblemBoxProps) {
  return (
    <div
      className={cn(
        'flex flex-col gap-2 rounded-md px-4 py-3 text-sm [&>p]:max-w-prose',
        isMild ? 'bg-warn text-warn-ink' : 'bg-danger-soft text-danger-ink',
      )}
    >
      <p className="font-semibold">{title}</p>
      {children}
    </div>
  )
}

export function Detail({ label, text }: { label: string; text: string }) {
  if (text === '') return null
  return (
    <p className="text-xs">
      {label}{' '}
      <code lang="en" className="font-mono break-words">
        {text}
      </code>
    </p>
  )
}

/** Browsers differ in how they write units. */
export function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-xs text-mute">{label}</dt>
      <dd suppressHydrationWarning className="tabular font-medium">
        {children}
      </dd>
    </div>
  )
}

/** `12 ms`, `1,2 s`, `45 s`, `5 min`. */
export function preciseDuration(ms: number, locale: Locale): string {
  const { millisecond, second } = formatters[locale]
  if (ms < 999.5) return millisecond.format(ms)
  return ms < 9_950 ? second.format(ms / 1000) : shortDuration(ms, locale)
}

/** `0,3 kB`, `512 kB`, `35,1 MB`. A megabyte is a million bytes. */
export function dataSize(bytes: number, locale: Locale): string {
  const { tinyKilobyte, kilobyte, megabyte } = formatters[locale]
  if (bytes < 9_950) return tinyKilobyte.format(bytes / 1000)
  return bytes < 999_500 ? kilobyte.format(bytes / 1000) : megabyte.format(bytes / 1_000_000)
}

/** `12`, `0,4`, `< 0,1`: the schedule never takes a rate to be nothing. */
export function hourlyRate(perHour: number, locale: Locale): string {
  const { rate } = formatters[locale]
  return perHour < 0.1 ? `< ${rate.format(0.1)}` : rate.format(perHour)
}

const formatters = { sv: makeFormatters('sv-SE', 'short'), en: makeFormatters('en-GB', 'narrow') } satisfies Record<
  Locale,
  unknown
>

function makeFormatters(tag: string, unitDisplay: 'short' | 'narrow') {
  const inUnit = (unit: string, maximumFractionDigits: number) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits })
  return {
    millisecond: inUnit('millisecond', 0),
    second: inUnit('second', 1),
    tinyKilobyte: inUnit('kilobyte', 1),
    kilobyte: inUnit('kilobyte', 0),
    megabyte: inUnit('megabyte', 1),
    rate: new Intl.NumberFormat(tag, { maximumSignificantDigits: 2 }),
  }
}

import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { FeedReport, ListReport } from '@/lib/contract/feed-status'

/** How a list fares, worst first. */
const healths = ['failing', 'heldBack', 'waiting', 'setAside', 'healthy'] as const
type Health = (typeof healths)[number]

export function listHealth({ problem, fetchedAt, setAside }: ListReport): Health {
  if (problem !== null) return problem.doubt ? 'heldBack' : 'failing'
  if (fetchedAt === null) return 'waiting'
  return setAside.total > 0 ? 'setAside' : 'healthy'
}

/** All lists in one word, and how many lists fail or how many records are set aside. */
export function verdict(lists: FeedReport['lists']): { health: Health; count: number } {
  const reports = Object.values(lists)
  const found = reports.map(listHealth)
  const health = healths.find((one) => found.includes(one)) ?? 'healthy'
  if (health === 'setAside') return { health, count: reports.reduce((sum, { setAside }) => sum + setAside.total, 0) }
  return { health, count: found.filter((one) => one === health).length }
}

const marks: Record<Health, { icon: LucideIcon; colour: string }> = {
  healthy: { icon: CircleCheck, colour: 'text-status-handled' },
  waiting: { icon: CircleDashed, colour: 'text-status-dismissed' },
  setAside: { icon: TriangleAlert, colour: 'text-status-progress' },
  heldBack: { icon: TriangleAlert, colour: 'text-status-progress' },
  failing: { icon: CircleX, colour: 'text-danger' },
}

type HealthCardProps = { id: string; title: string; health: Health; word: string; children: ReactNode }

/** One thing that Intag depends on: what it is, how it fares in a word, and all about it. */
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
          {word}
        </p>
      </header>
      {children}
    </section>
  )
}

/** By shape as well as by colour; the word stands beside it. */
export function HealthMark({ health }: { health: Health }) {
  const { icon: Icon, colour } = marks[health]
  return <Icon aria-hidden="true" strokeWidth={2} className={cn('size-4.5 shrink-0', colour)} />
}

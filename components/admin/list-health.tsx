import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { FeedReport, ListReport } from '@/lib/contract/feed-status'

/** How a list fares, worst first. */
const healths = ['failing', 'waiting', 'setAside', 'healthy'] as const
type Health = (typeof healths)[number]

export function listHealth({ problem, fetchedAt, setAside }: ListReport): Health {
  if (problem !== null) return 'failing'
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
  failing: { icon: CircleX, colour: 'text-danger' },
}

/** By shape as well as by colour; the word stands beside it. */
export function HealthMark({ health }: { health: Health }) {
  const { icon: Icon, colour } = marks[health]
  return <Icon aria-hidden="true" strokeWidth={2} className={cn('size-4.5 shrink-0', colour)} />
}

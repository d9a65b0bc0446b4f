import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { Health } from './list-health'

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

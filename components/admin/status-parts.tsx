import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import type { Status } from '@/lib/contract/feed-status'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'

const marks = {
  failing: { icon: CircleX, colour: 'text-danger' },
  heldBack: { icon: TriangleAlert, colour: 'text-status-progress' },
  waiting: { icon: CircleDashed, colour: 'text-status-dismissed' },
  setAside: { icon: TriangleAlert, colour: 'text-status-progress' },
  healthy: { icon: CircleCheck, colour: 'text-status-handled' },
} satisfies Record<string, { icon: LucideIcon; colour: string }>

type Health = keyof typeof marks
const worstFirst: readonly Health[] = ['failing', 'heldBack', 'waiting', 'setAside', 'healthy']

type Lists = Pick<Status, 'lists' | 'problems'>

export function listHealth({ lists, problems }: Lists, list: FeedList): Health {
  const problem = problems.find((each) => each.list === list)
  if (problem) return problem.isHeldBack ? 'heldBack' : 'failing'
  const snapshot = lists[list]
  if (snapshot === null) return 'waiting'
  return snapshot.unreadable > 0 ? 'setAside' : 'healthy'
}

export function verdict(status: Lists): { health: Health; count: number } {
  const found = FEED_LISTS.map((list) => listHealth(status, list))
  const health = worstFirst.find((each) => found.includes(each)) ?? 'healthy'
  const unreadable = FEED_LISTS.reduce((sum, list) => sum + (status.lists[list]?.unreadable ?? 0), 0)
  return { health, count: health === 'setAside' ? unreadable : found.filter((each) => each === health).length }
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

type ProblemBoxProps = {
  isMild?: boolean
  title: string
  /** Paragraphs, each of its sentences; times make them differ between server and browser. */
  lines?: readonly (readonly (string | undefined)[])[]
  children?: ReactNode
}

export function ProblemBox({ isMild = false, title, lines, children }: ProblemBoxProps) {
  return (
    <Notice tone={isMild ? 'warn' : 'danger'} className="flex flex-col gap-2 [&>p]:max-w-prose">
      <p className="font-semibold">{title}</p>
      {lines?.map((sentences) => (
        <p key={sentences.join(' ')} suppressHydrationWarning className="tabular">
          {sentences.filter(Boolean).join(' ')}
        </p>
      ))}
      {children}
    </Notice>
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

import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Health } from './list-health'

const HEALTH_ICONS: Record<Health, { Icon: LucideIcon; colour: string }> = {
  failing: { Icon: CircleX, colour: 'text-danger' },
  heldBack: { Icon: TriangleAlert, colour: 'text-status-progress' },
  waiting: { Icon: CircleDashed, colour: 'text-status-dismissed' },
  setAside: { Icon: TriangleAlert, colour: 'text-status-progress' },
  healthy: { Icon: CircleCheck, colour: 'text-status-handled' },
}

type HealthCardProps = { id: string; title: string; health: Health; healthText: string; children: ReactNode }

export function HealthCard({ id, title, health, healthText, children }: HealthCardProps) {
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-4 p-4 desk:px-5">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="flex items-center gap-1.5 text-sm text-mute">
          <HealthMark health={health} />
          <span>{healthText}</span>
        </p>
      </header>
      {children}
    </section>
  )
}

export function HealthMark({ health }: { health: Health }) {
  const { Icon, colour } = HEALTH_ICONS[health]
  return <Icon strokeWidth={2} className={`size-4.5 shrink-0 ${colour}`} />
}

/** Shows a text of another program, in English, such as an error message. */
export function TechnicalDetail({ label, text }: { label: string; text: string }) {
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

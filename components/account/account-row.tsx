import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type AccountRowProps = { icon: LucideIcon; title: ReactNode; facts: string; action: ReactNode }

export function AccountRow({ icon: Icon, title, facts, action }: AccountRowProps) {
  return (
    <li className="card-row">
      <Icon className="size-5 shrink-0 text-mute" />
      <div className="min-w-0 flex-1 basis-40">
        {title}
        {/* Server and browser may write a time differently. */}
        <p suppressHydrationWarning className="tabular text-sm text-pretty wrap-anywhere text-mute">
          {facts}
        </p>
      </div>
      {action}
    </li>
  )
}

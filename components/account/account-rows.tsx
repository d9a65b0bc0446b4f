import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function AccountList({ children }: { children: ReactNode }) {
  return <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">{children}</ul>
}

type AccountRowProps = { icon: LucideIcon; title: ReactNode; facts: ReactNode; action: ReactNode }

export function AccountRow({ icon: Icon, title, facts, action }: AccountRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2.5 pl-4 last:border-b-0">
      <Icon className="size-5 shrink-0 text-mute" />
      <div className="min-w-0 flex-1 basis-40">
        {title}
        <p suppressHydrationWarning className="tabular text-sm text-pretty wrap-anywhere text-mute">
          {facts}
        </p>
      </div>
      {action}
    </li>
  )
}

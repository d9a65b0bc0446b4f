import type { ReactNode } from 'react'

type AdminHeaderProps = { title: string; lead: string; action?: ReactNode }

/** What a screen is called and what it is for. */
export function AdminHeader({ title, lead, action }: AdminHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-3">
      <div>
        <h1 className="text-lg font-semibold">{title}</h1>
        <p className="max-w-prose text-sm text-mute">{lead}</p>
      </div>
      {action}
    </header>
  )
}

import type { ReactNode } from 'react'

export function PageHeader({ title, lead, action }: { title: string; lead: ReactNode; action?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center gap-x-6 gap-y-2 desk:gap-y-0">
      <h1 className="min-w-0 text-title leading-8 font-semibold text-balance desk:flex-1">{title}</h1>
      <p
        suppressHydrationWarning
        className="-mt-2 w-full text-sm text-pretty wrap-anywhere text-mute desk:order-last desk:mt-0"
      >
        <span className="block max-w-prose">{lead}</span>
      </p>
      {action}
    </header>
  )
}

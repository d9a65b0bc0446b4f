import type { ReactNode } from 'react'

type AccountSectionProps = { id: string; title: string; hint: string; children: ReactNode }

/** A part of one's own account, and what it is for. */
export function AccountSection({ id, title, hint, children }: AccountSectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1 text-base font-semibold">
        {title}
      </h2>
      <p className="mb-3 max-w-prose text-sm text-pretty text-mute">{hint}</p>
      {children}
    </section>
  )
}

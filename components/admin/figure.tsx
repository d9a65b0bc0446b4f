import type { ReactNode } from 'react'

/** One number with its name, within a `dl`. Browsers differ in how they write units. */
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

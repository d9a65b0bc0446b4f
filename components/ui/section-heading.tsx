import type { ReactNode } from 'react'

type SectionHeadingProps = { id: string; level?: 2 | 3; count?: number | undefined; children: ReactNode }

/** The heading of a part of a screen; its count is shown only where there is more than one. */
export function SectionHeading({ id, level = 3, count, children }: SectionHeadingProps) {
  const Heading = `h${level}` as const
  return (
    <Heading id={id} className="mb-2.5 flex items-baseline gap-2 text-sm font-semibold text-mute">
      {children}
      {count !== undefined && count > 1 && <span className="tabular text-xs font-normal text-faint">{count}</span>}
    </Heading>
  )
}

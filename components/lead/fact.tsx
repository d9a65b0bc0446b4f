import type { ReactNode } from 'react'

/** One line of what is known, within a `dl` in a container. */
export function Fact({ name, actions, children }: { name: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 border-b border-line-soft py-2 pr-2.5 pl-4 last:border-b-0 @lg:grid-cols-[5rem_minmax(0,1fr)_auto]">
      <dt className="text-sm text-faint">{name}</dt>
      <dd className="tabular col-start-1 font-medium wrap-anywhere @lg:col-start-2">{children}</dd>
      {actions && (
        <dd className="col-start-2 row-span-2 row-start-1 flex gap-1.5 @lg:col-start-3 @lg:row-span-1">{actions}</dd>
      )}
    </div>
  )
}

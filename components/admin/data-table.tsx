import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

type DataTableProps = { caption: string; columns: readonly { name: string; isNumber?: boolean }[]; children: ReactNode }

/** A table that scrolls within itself; its headings stay. */
export function DataTable({ caption, columns, children }: DataTableProps) {
  return (
    <div
      role="region"
      aria-label={caption}
      tabIndex={0}
      className="mt-2 max-h-72 overflow-auto rounded-md border border-line scroll-thin"
    >
      <table className="w-full border-separate border-spacing-0 text-left text-xs [&_td]:border-b [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-1.5 [&_td]:align-top [&_tr:last-child>td]:border-b-0">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false }) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  'sticky top-0 border-b border-line bg-panel px-3 py-1.5 font-medium whitespace-nowrap text-mute',
                  isNumber && 'text-right',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
